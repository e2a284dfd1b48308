/* Decide by a search whether the first player wins a game of lines on up to 36 squares.
 *
 * usage: first_player_wins SQUARES strong|maker BITS MOST [PLIES] < MASKS
 *
 * Standard input has the lines as numbers, bit s for square s. In the Maker-Breaker game, X wins by a line, and the
 * lines of O do not count. In the strong game, the first side with a line wins. The hash table has 2^BITS entries of
 * 16 bytes. Prints 1 if X wins, else 0. With PLIES, X must win the Maker-Breaker game by this ply. The exit code is 3 if
 * the search enters more than MOST positions.
 *
 * A side must complete a line if it can, and must block one that the other side could complete. X cannot win if the sum
 * of 2^-r over the lines without stones of O, r squares from complete, is less than 1/2 with X to move, or less than 1
 * with O to move (Erdős and Selfridge 1973).
 *
 * In the Maker-Breaker game, only the open lines matter, those without stones of O:
 * - A stone of X on no open line is like a stone of O.
 * - A line with two empty squares on no other open line does not help X: if X takes one, O takes the other.
 * - A square is no better than another square that is on all of its open lines.
 * - Positions are compared up to reversing the squares, if that keeps the lines.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SQUARES = 36, MOST_LINES = 60480, UNLIMITED = 31, COMPARED_LINES = 128 };

typedef uint64_t Set;          /* of squares */
typedef unsigned __int128 Key; /* a position, the side to move, and X's moves left */

static int squares, line_count, strong, bits, symmetric, limited;
static Set lines[MOST_LINES];
static Set *open_lines; /* an array of `line_count` for each number of stones */
static Key *table;
static uint64_t positions, most;

static int x_wins(Set x, Set o, int x_moves, int left);

static uint64_t slot_of(Key whole) {
    uint64_t key = (uint64_t)whole ^ (uint64_t)(whole >> 64) * 0x9e3779b97f4a7c15ULL;
    key ^= key >> 33, key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 33, key *= 0xc4ceb9fe1a85ec53ULL;
    return (key ^ key >> 33) & ((1ULL << bits) - 1);
}

/* Add the weight of a line to each of its empty squares. */
static void add(double *scores, Set rest, double weight) {
    for (; rest; rest &= rest - 1) scores[__builtin_ctzll(rest)] += weight;
}

static Set reversed(Set set) {
    Set result = 0;
    for (; set; set &= set - 1) result |= 1ULL << (squares - 1 - __builtin_ctzll(set));
    return result;
}

static int is_symmetric(void) {
    for (int i = 0; i < line_count; i++) {
        Set image = reversed(lines[i]);
        int found = 0;
        for (int j = 0; j < line_count && !found; j++) found = lines[j] == image;
        if (!found) return 0;
    }
    return 1;
}

/* Try moves in the order of their scores, unless the result is in the hash table. X has `left` moves left. */
static int search(Set x, Set o, int x_moves, int left, Set tried, const double *scores) {
    Key key = (Key)left << (2 * MOST_SQUARES + 1) | ((Key)x << squares | o) << 1 | x_moves;
    uint64_t slot = slot_of(key);
    for (int i = 0; i < 2; i++)
        if (table[slot ^ i] >> 1 == key) return (int)(table[slot ^ i] & 1);
    int moves[MOST_SQUARES], count = 0, result = !x_moves;
    for (Set rest = tried; rest; rest &= rest - 1) {
        int move = __builtin_ctzll(rest), i = count++;
        for (; i && scores[moves[i - 1]] < scores[move]; i--) moves[i] = moves[i - 1];
        moves[i] = move;
    }
    for (int i = 0; i < count && result != x_moves; i++)
        result = x_moves ? x_wins(x | 1ULL << moves[i], o, 0, left - limited) : x_wins(x, o | 1ULL << moves[i], 1, left);
    if (table[slot]) table[slot ^ 1] = table[slot];
    table[slot] = key << 1 | result;
    return result;
}

/* Remove lines with two empty squares of their own, and return how many are left. */
static int remove_paired(Set *open, int count, Set x) {
    for (int before = count + 1; count < before;) {
        Set once = 0, twice = 0;
        for (int i = 0; i < count; i++) twice |= once & open[i], once |= open[i];
        before = count, count = 0;
        for (int i = 0; i < before; i++) {
            Set own = open[i] & ~(x | twice);
            if (!(own & (own - 1))) open[count++] = open[i];
        }
    }
    return count;
}

/* Return the empty squares without those that are no better than another. */
static Set best_squares(Set empty, const Set *open, int count) {
    uint64_t through[MOST_SQUARES][COMPARED_LINES / 64] = {0};
    if (count > COMPARED_LINES) return empty;
    for (int i = 0; i < count; i++)
        for (Set rest = open[i] & empty; rest; rest &= rest - 1)
            through[__builtin_ctzll(rest)][i >> 6] |= 1ULL << (i & 63);
    for (Set rest = empty; rest; rest &= rest - 1) {
        uint64_t *own = through[__builtin_ctzll(rest)];
        for (Set others = empty & ~(rest & -rest); others; others &= others - 1) {
            uint64_t *other = through[__builtin_ctzll(others)];
            if (own[0] & ~other[0] || own[1] & ~other[1]) continue;
            empty &= ~(rest & -rest);
            break;
        }
    }
    return empty;
}

static int maker_wins(Set x, Set o, int x_moves, int left) {
    double scores[MOST_SQUARES] = {0}, potential = 0;
    Set threats = 0, used = 0, *open = open_lines + (size_t)__builtin_popcountll(x | o) * line_count;
    int count = 0;
    for (int i = 0; i < line_count; i++) {
        Set rest = lines[i] & ~x;
        if (lines[i] & o || __builtin_popcountll(rest) > left) continue;
        if (!(rest & (rest - 1))) threats |= rest;
        open[count++] = lines[i];
    }
    if (x_moves && threats) return 1;
    if (threats & (threats - 1)) return 1;
    if (threats) return x_wins(x, o | threats, 1, left);
    count = remove_paired(open, count, x);
    for (int i = 0; i < count; i++) {
        Set rest = open[i] & ~x;
        double weight = 1.0 / (1ULL << __builtin_popcountll(rest));
        potential += weight, used |= open[i];
        add(scores, rest, weight);
    }
    if (potential < (x_moves ? 0.5 : 1.0)) return 0;
    Set empty = used & ~x, tried = best_squares(empty, open, count);
    x &= used, o = ((1ULL << squares) - 1) & ~(x | empty);
    if (symmetric && reversed(x) <= x && (reversed(x) < x || reversed(o) < o)) {
        x = reversed(x), o = reversed(o), tried = reversed(tried);
        for (int i = 0; 2 * i < squares; i++) {
            double score = scores[i];
            scores[i] = scores[squares - 1 - i], scores[squares - 1 - i] = score;
        }
    }
    return search(x, o, x_moves, left, tried, scores);
}

static int x_wins(Set x, Set o, int x_moves, int left) {
    double scores[MOST_SQUARES] = {0}, potential = 0;
    Set x_threats = 0, o_threats = 0, open = 0;
    if (++positions > most) exit(3);
    if (!strong) return maker_wins(x, o, x_moves, left);
    for (int i = 0; i < line_count; i++) {
        if (!(lines[i] & o)) {
            Set rest = lines[i] & ~x;
            double weight = 1.0 / (1ULL << __builtin_popcountll(rest));
            if (!(rest & (rest - 1))) x_threats |= rest;
            potential += weight, open |= rest;
            add(scores, rest, weight);
        }
        if (!(lines[i] & x)) {
            Set rest = lines[i] & ~o;
            if (!(rest & (rest - 1))) o_threats |= rest;
            open |= rest;
            add(scores, rest, 0.5 / (1ULL << __builtin_popcountll(rest)));
        }
    }
    if (x_moves && x_threats) return 1;
    if (!x_moves && o_threats) return 0;
    if (potential < (x_moves ? 0.5 : 1.0)) return 0;
    Set threats = x_moves ? o_threats : x_threats;
    if (threats & (threats - 1)) return !x_moves;
    if (threats) return x_moves ? x_wins(x | threats, o, 0, left) : x_wins(x, o | threats, 1, left);
    o |= ((1ULL << squares) - 1) & ~(x | open); /* squares without an open line */
    return search(x, o, x_moves, left, open, scores);
}

int main(int count, char **words) {
    unsigned long line;
    if (count < 5) return 2;
    squares = atoi(words[1]), strong = !strcmp(words[2], "strong"), bits = atoi(words[3]), most = strtoull(words[4], 0, 10);
    limited = count > 5 && !strong;
    while (line_count < MOST_LINES && scanf("%lu", &line) == 1) lines[line_count++] = line;
    table = calloc(1ULL << bits, sizeof *table);
    open_lines = malloc((squares + 1) * (line_count + 1) * sizeof *open_lines);
    if (!table || !open_lines || squares > MOST_SQUARES) return 2;
    symmetric = is_symmetric();
    printf("%d\n", x_wins(0, 0, 1, limited ? (atoi(words[5]) + 1) / 2 : UNLIMITED));
    return 0;
}
