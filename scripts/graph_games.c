/* Solve games on the edges of the complete graph on 2 to 8 points, many at once, for all positions.
 *
 * usage: graph_games POINTS < GAMES
 *
 * Each line of standard input is a game: "strong" or "maker", and the edges of a graph as a mask, in which the edge
 * between the points a < b, numbered from 0, is bit b(b-1)/2 + a. A copy of the graph is a line. In the Maker-Breaker
 * game, the lines of O do not count.
 *
 * For each game, the output has a line "ply x_wins draws o_wins longest" for each ply, about the positions without a
 * line. These are numbers of positions, not up to symmetry. `longest` is the greatest number of plies to the end of
 * the positions that are not drawn, or -1. Breaker wins a game that ends without a line, when the board is full.
 *
 * X's edges are a graph, and one page is kept for each isomorphism class of graphs. It has the value of every set of
 * edges that O can have beside one representative. Values of LANES games are bytes side by side: 192 - p if X wins at
 * ply p, 128 for a draw, 64 + p if O wins at ply p. So X moves to the maximum and O to the minimum. A graph contains a
 * line if it is one, or if it still contains one without one of its edges.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef LANES
#define LANES 64
#endif

enum { MOST_POINTS = 8, MOST_EDGES = 28, MOST_CLASSES = 12346, MOST_GAMES = 400, NO_CLASS = 0xFFFF, HALF = 14 };
enum { DRAW = 128, X_WON = 192, O_WON = 64 };

typedef struct { uint16_t class; uint8_t image[MOST_EDGES]; } Link; /* where adding an edge leads, and the new numbers */

static int points, edges, class_count, game_count;
static uint16_t *class_of; /* of each set of at most half of the edges, rounded up */
static uint32_t graphs[MOST_CLASSES], copies[MOST_CLASSES]; /* a representative, and the number of sets, of a class */
static Link (*links)[MOST_EDGES];
static uint32_t swaps[MOST_POINTS][4][256]; /* images of the bytes of a set if two adjacent points change places */
static uint8_t edge_swaps[MOST_POINTS][MOST_EDGES];
static int steps[40320], step_count; /* exchanges of adjacent points that visit all permutations */
static int is_maker[MOST_GAMES];
static uint32_t lines[MOST_GAMES];
static uint32_t ranks[HALF + 1][1 << HALF]; /* of the upper half of a set above so many lower elements */
static uint32_t choose[MOST_EDGES + 2][MOST_EDGES + 2];

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory) exit(2);
    return memory;
}

static uint32_t swapped(uint32_t set, int a) {
    return swaps[a][0][set & 255] | swaps[a][1][set >> 8 & 255] | swaps[a][2][set >> 16 & 255] | swaps[a][3][set >> 24];
}

static void make_steps(void) { /* Steinhaus, Johnson and Trotter */
    int order[MOST_POINTS], direction[MOST_POINTS];
    for (int i = 0; i < points; i++) order[i] = i, direction[i] = -1;
    for (;;) {
        int at = -1;
        for (int i = 0; i < points; i++) {
            int other = i + direction[order[i]];
            if (other >= 0 && other < points && order[other] < order[i] && (at < 0 || order[i] > order[at])) at = i;
        }
        if (at < 0) return;
        int moved = order[at], other = at + direction[moved];
        order[at] = order[other], order[other] = moved;
        steps[step_count++] = at < other ? at : other;
        for (int i = moved + 1; i < points; i++) direction[i] = -direction[i];
    }
}

static void make_tables(void) {
    for (int n = 0; n <= MOST_EDGES + 1; n++)
        for (int k = 0; k <= n; k++) choose[n][k] = k && k < n ? choose[n - 1][k - 1] + choose[n - 1][k] : 1;
    for (int below = 0; below <= HALF; below++)
        for (uint32_t set = 0; set < 1 << HALF; set++) {
            int place = below;
            for (uint32_t rest = set; rest; rest &= rest - 1) {
                int element = __builtin_ctz(rest) + HALF;
                place++, ranks[below][set] += element >= place ? choose[element][place] : 0;
            }
        }
    for (int a = 0; a + 1 < points; a++) {
        for (int high = 0; high < points; high++)
            for (int low = 0; low < high; low++) {
                int p = low == a ? a + 1 : low == a + 1 ? a : low, q = high == a ? a + 1 : high == a + 1 ? a : high;
                if (p > q) { int t = p; p = q, q = t; }
                edge_swaps[a][high * (high - 1) / 2 + low] = q * (q - 1) / 2 + p;
            }
        for (int byte = 0; byte < 4; byte++)
            for (int set = 0; set < 256; set++)
                for (int bit = 0; bit < 8 && byte * 8 + bit < edges; bit++)
                    if (set >> bit & 1) swaps[a][byte][set] |= 1U << edge_swaps[a][byte * 8 + bit];
    }
    make_steps();
}

static uint32_t lower_ranks[1 << HALF];

/* Return the number of a set among those of its size, in numerical order. */
static inline uint32_t rank_of(uint32_t set) {
    uint32_t low = set & ((1 << HALF) - 1);
    return lower_ranks[low] + ranks[__builtin_popcount(low)][set >> HALF];
}

static void make_lower_ranks(void) {
    for (uint32_t set = 0; set < 1 << HALF; set++) {
        int place = 0;
        for (uint32_t rest = set; rest; rest &= rest - 1) {
            int element = __builtin_ctz(rest);
            place++, lower_ranks[set] += element >= place ? choose[element][place] : 0;
        }
    }
}

static void add_class(uint32_t graph) {
    uint32_t set = graph;
    graphs[class_count] = graph, copies[class_count] = 0;
    for (int i = 0;; i++) {
        if (class_of[set] == NO_CLASS) class_of[set] = class_count, copies[class_count]++;
        if (i == step_count) break;
        set = swapped(set, steps[i]);
    }
    class_count++;
}

/* Find the classes in order of their edges, and where adding an edge to a representative leads. */
static void find_classes(void) {
    class_of = allocate(sizeof *class_of << edges);
    memset(class_of, 255, sizeof *class_of << edges);
    links = allocate(sizeof *links * MOST_CLASSES);
    add_class(0);
    for (int c = 0; c < class_count; c++) {
        if (__builtin_popcount(graphs[c]) == (edges + 1) / 2) continue;
        for (int edge = 0; edge < edges; edge++) {
            if (graphs[c] >> edge & 1) continue;
            uint32_t set = graphs[c] | 1U << edge;
            if (class_of[set] == NO_CLASS) add_class(set);
            Link *link = &links[c][edge];
            link->class = class_of[set];
            for (int i = 0; i < edges; i++) link->image[i] = i;
            for (int i = 0; set != graphs[link->class]; i++) {
                set = swapped(set, steps[i]);
                for (int e = 0; e < edges; e++) link->image[e] = edge_swaps[steps[i]][link->image[e]];
            }
        }
    }
}

/* Solve up to LANES games, and print the numbers of positions. */
static void solve(const int *maker, const uint32_t *graph, int count) {
    static uint8_t contains[MOST_CLASSES][LANES], for_o[MOST_CLASSES][LANES];
    static uint64_t totals[MOST_EDGES][3][LANES];
    static int longest[MOST_EDGES][LANES];
    static size_t start[MOST_CLASSES], next_start[MOST_CLASSES];
    uint8_t (*values)[LANES] = 0, (*next)[LANES] = 0;
    int fewest = edges, any_strong = 0;
    memset(contains, 0, sizeof contains), memset(totals, 0, sizeof totals), memset(longest, 255, sizeof longest);
    for (int lane = 0; lane < count; lane++) {
        int size = __builtin_popcount(graph[lane]);
        if (size <= (edges + 1) / 2) contains[class_of[graph[lane]]][lane] = 255;
        if (!maker[lane]) any_strong = 1, fewest = size < fewest ? size : fewest;
    }
    for (int c = 0; c < class_count; c++)
        if (__builtin_popcount(graphs[c]) < (edges + 1) / 2)
            for (int edge = 0; edge < edges; edge++)
                if (!(graphs[c] >> edge & 1))
                    for (int lane = 0; lane < LANES; lane++)
                        contains[links[c][edge].class][lane] |= contains[c][lane];
    for (int c = 0; c < class_count; c++)
        for (int lane = 0; lane < LANES; lane++) for_o[c][lane] = lane < count && !maker[lane] ? contains[c][lane] : 0;

    for (int ply = edges; ply >= 0; ply--) {
        int x = (ply + 1) / 2, o = ply / 2, x_moves = ply % 2 == 0, free_count = edges - x;
        size_t page = choose[free_count][o], size = 0;
        for (int c = 0; c < class_count; c++)
            if (__builtin_popcount(graphs[c]) == x) start[c] = size, size += page;
        values = allocate(size * sizeof *values);
        for (int c = 0; c < class_count; c++) {
            if (__builtin_popcount(graphs[c]) != x) continue;
            int squares[MOST_EDGES], found = 0;
            for (int e = 0; e < edges; e++)
                if (!(graphs[c] >> e & 1)) squares[found++] = e;
            static uint32_t whole[4][256], images[MOST_EDGES][4][256]; /* from numbers of free squares to masks */
            uint8_t (*to[MOST_EDGES])[LANES];
            memset(whole, 0, sizeof whole);
            for (int i = 0; i < free_count; i++)
                for (int set = 0; set < 256; set++)
                    if (set >> (i & 7) & 1) whole[i >> 3][set] |= 1U << squares[i];
            if (x_moves && ply < edges) {
                memset(images, 0, sizeof images);
                for (int i = 0; i < free_count; i++) {
                    Link *link = &links[c][squares[i]];
                    uint32_t other = graphs[link->class];
                    to[i] = next + next_start[link->class];
                    for (int j = 0; j < free_count; j++) {
                        int image = link->image[squares[j]];
                        if (j == i) continue;
                        uint32_t bit = 1U << (image - __builtin_popcount(other & ((1U << image) - 1)));
                        for (int set = 0; set < 256; set++)
                            if (set >> (j & 7) & 1) images[i][j >> 3][set] |= bit;
                    }
                }
            }
            uint8_t tally[3][LANES] = {0}, latest_x[LANES], latest_o[LANES];
            uint32_t sums[3][LANES] = {0}, set = (uint32_t)((1ULL << o) - 1);
            const uint8_t *x_has = contains[c];
            memset(latest_x, 255, LANES), memset(latest_o, 0, LANES);
            for (size_t entry = 0; entry < page; entry++) {
                uint8_t best[LANES];
                const uint8_t *children[MOST_EDGES] = {0};
                int child_count = 0;
                if (ply == edges) memset(best, DRAW, LANES);
                else {
                    uint32_t rest = ~set & ((1U << free_count) - 1);
                    for (; rest; rest &= rest - 1) {
                        int i = __builtin_ctz(rest);
                        const uint8_t *child;
                        if (x_moves) {
                            uint32_t then = images[i][0][set & 255] | images[i][1][set >> 8 & 255] |
                                            images[i][2][set >> 16 & 255] | images[i][3][set >> 24];
                            child = to[i][rank_of(then)];
                        } else child = next[next_start[c] + rank_of(set | 1U << i)];
                        __builtin_prefetch(child);
                        if (LANES > 64) __builtin_prefetch(child + 64);
                        children[child_count++] = child;
                    }
                    memcpy(best, children[0], LANES);
                    if (x_moves)
                        for (int i = 1; i < child_count; i++) {
                            const uint8_t *child = children[i];
                            for (int lane = 0; lane < LANES; lane++)
                                best[lane] = child[lane] > best[lane] ? child[lane] : best[lane];
                        }
                    else
                        for (int i = 1; i < child_count; i++) {
                            const uint8_t *child = children[i];
                            for (int lane = 0; lane < LANES; lane++)
                                best[lane] = child[lane] < best[lane] ? child[lane] : best[lane];
                        }
                }
                static const uint8_t nothing[LANES];
                const uint8_t *o_has = nothing;
                if (any_strong && o >= fewest)
                    o_has = for_o[class_of[whole[0][set & 255] | whole[1][set >> 8 & 255] | whole[2][set >> 16 & 255] |
                                           whole[3][set >> 24]]];
                uint8_t *result = values[start[c] + entry];
                for (int lane = 0; lane < LANES; lane++) {
                    uint8_t over = x_has[lane] | o_has[lane];
                    uint8_t end = x_has[lane] ? X_WON - ply : O_WON + ply;
                    uint8_t value = over ? end : best[lane];
                    result[lane] = value;
                    uint8_t x_wins = value > DRAW ? ~over : 0, o_wins = value < DRAW ? ~over : 0;
                    tally[0][lane] += x_wins & 1;
                    tally[1][lane] += ~(x_wins | o_wins | over) & 1;
                    tally[2][lane] += o_wins & 1;
                    uint8_t x_late = value | (uint8_t)~x_wins, o_late = value & o_wins;
                    latest_x[lane] = x_late < latest_x[lane] ? x_late : latest_x[lane];
                    latest_o[lane] = o_late > latest_o[lane] ? o_late : latest_o[lane];
                }
                if (entry % 255 == 254 || entry == page - 1) {
                    for (int i = 0; i < 3; i++)
                        for (int lane = 0; lane < LANES; lane++) sums[i][lane] += tally[i][lane];
                    memset(tally, 0, sizeof tally);
                }
                uint32_t lowest = set & -set, above = set + lowest; /* the next set of so many elements */
                if (lowest) set = above | (above ^ set) / lowest >> 2;
            }
            if (ply == edges) continue;
            for (int lane = 0; lane < count; lane++) {
                for (int i = 0; i < 3; i++) totals[ply][i][lane] += (uint64_t)copies[c] * sums[i][lane];
                int ends[3] = {
                    latest_x[lane] == 255 ? -1 : X_WON - latest_x[lane] - ply,
                    latest_o[lane] == 0 ? -1 : latest_o[lane] - O_WON - ply,
                    maker[lane] && sums[1][lane] ? edges - ply : -1,
                };
                for (int i = 0; i < 3; i++)
                    if (ends[i] > longest[ply][lane]) longest[ply][lane] = ends[i];
            }
        }
        free(next), next = values;
        memcpy(next_start, start, sizeof start);
    }
    free(next);
    for (int lane = 0; lane < count; lane++)
        for (int ply = 0; ply < edges; ply++) {
            uint64_t x_wins = totals[ply][0][lane], even = totals[ply][1][lane], o_wins = totals[ply][2][lane];
            if (maker[lane]) o_wins += even, even = 0;
            printf("%d %llu %llu %llu %d\n", ply, (unsigned long long)x_wins, (unsigned long long)even,
                   (unsigned long long)o_wins, longest[ply][lane]);
        }
    fflush(stdout);
}

int main(int count, char **words) {
    char kind[8];
    if (count != 2 || (points = atoi(words[1])) < 2 || points > MOST_POINTS) return 2;
    edges = points * (points - 1) / 2;
    make_tables(), make_lower_ranks(), find_classes();
    while (game_count < MOST_GAMES && scanf("%7s %u", kind, &lines[game_count]) == 2)
        is_maker[game_count++] = !strcmp(kind, "maker");
    for (int first = 0; first < game_count; first += LANES)
        solve(is_maker + first, lines + first, game_count - first < LANES ? game_count - first : LANES);
    return 0;
}
