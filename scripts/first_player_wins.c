/* Decide by a search whether the first player wins a game of lines on up to 31 squares.
 *
 * usage: first_player_wins SQUARES strong|maker BITS MOST < MASKS
 *
 * Standard input has the lines as numbers, bit s for square s. In the Maker-Breaker game, X wins by a line, and the
 * lines of O do not count. In the strong game, the first side with a line wins. The hash table has 2^BITS entries of
 * 8 bytes. Prints 1 if X wins, else 0. The exit code is 3 if the search enters more than MOST positions.
 *
 * A side must complete a line if it can, and must block one that the other side could complete. X cannot win if the sum
 * of 2^-r over the lines without stones of O, r squares from complete, is less than 1/2 with X to move, or less than 1
 * with O to move (Erdős and Selfridge 1973).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SQUARES = 31, MOST_LINES = 20000 };

static int squares, line_count, strong, bits;
static uint32_t lines[MOST_LINES];
static uint64_t *table, positions, most;

static uint64_t slot_of(uint64_t key) {
    key ^= key >> 33, key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 33, key *= 0xc4ceb9fe1a85ec53ULL;
    return (key ^ key >> 33) & ((1ULL << bits) - 1);
}

/* Add the weight of a line to each of its empty squares. */
static void add(double *scores, uint32_t rest, double weight) {
    for (; rest; rest &= rest - 1) scores[__builtin_ctz(rest)] += weight;
}

static int x_wins(uint32_t x, uint32_t o, int x_moves) {
    double scores[MOST_SQUARES] = {0}, potential = 0;
    uint32_t x_threats = 0, o_threats = 0, open = 0;
    if (++positions > most) exit(3);
    for (int i = 0; i < line_count; i++) {
        if (!(lines[i] & o)) {
            uint32_t rest = lines[i] & ~x;
            double weight = 1.0 / (1ULL << __builtin_popcount(rest));
            if (!(rest & (rest - 1))) x_threats |= rest;
            potential += weight, open |= rest;
            add(scores, rest, weight);
        }
        if (strong && !(lines[i] & x)) {
            uint32_t rest = lines[i] & ~o;
            if (!(rest & (rest - 1))) o_threats |= rest;
            open |= rest;
            add(scores, rest, 0.5 / (1ULL << __builtin_popcount(rest)));
        }
    }
    if (x_moves && x_threats) return 1;
    if (!x_moves && o_threats) return 0;
    if (potential < (x_moves ? 0.5 : 1.0)) return 0;
    uint32_t threats = x_moves ? o_threats : x_threats;
    if (threats & (threats - 1)) return !x_moves;
    if (threats) return x_moves ? x_wins(x | threats, o, 0) : x_wins(x, o | threats, 1);

    o |= ((1U << squares) - 1) & ~(x | open); /* squares without an open line */
    uint64_t key = ((uint64_t)x << squares | o) << 1 | x_moves, slot = slot_of(key);
    for (int i = 0; i < 2; i++)
        if (table[slot ^ i] >> 1 == key) return table[slot ^ i] & 1;
    int moves[MOST_SQUARES], count = 0, result = !x_moves;
    for (uint32_t rest = open; rest; rest &= rest - 1) {
        int move = __builtin_ctz(rest), i = count++;
        for (; i && scores[moves[i - 1]] < scores[move]; i--) moves[i] = moves[i - 1];
        moves[i] = move;
    }
    for (int i = 0; i < count && result != x_moves; i++)
        result = x_moves ? x_wins(x | 1U << moves[i], o, 0) : x_wins(x, o | 1U << moves[i], 1);
    if (table[slot]) table[slot ^ 1] = table[slot];
    table[slot] = key << 1 | result;
    return result;
}

int main(int count, char **words) {
    unsigned long line;
    if (count != 5) return 2;
    squares = atoi(words[1]), strong = !strcmp(words[2], "strong"), bits = atoi(words[3]), most = strtoull(words[4], 0, 10);
    while (line_count < MOST_LINES && scanf("%lu", &line) == 1) lines[line_count++] = (uint32_t)line;
    table = calloc(1ULL << bits, sizeof *table);
    if (!table || squares > MOST_SQUARES) return 2;
    printf("%d\n", x_wins(0, 0, 1));
    return 0;
}
