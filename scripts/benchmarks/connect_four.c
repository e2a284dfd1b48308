/* The search of solver/kernels/search_*.py for 6 rows and 7 columns, in C, to compare the speed of compiled Python with.

   It enters the same nodes: see there for what each function does. It reads lines with the columns played, numbered
   from 1, and prints a score for each, then the number of nodes and the processor seconds.

   usage: connect_four MEGABYTES < LINES */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

typedef uint64_t Word;

enum { ROWS = 6, COLUMNS = 7, SQUARES = ROWS * COLUMNS, STEP = ROWS + 1, LANES = 8 };
enum { MOST = 31, OPEN = 99, NOTHING = -99, MIRRORED_PLIES = 12, LEAST_KEPT = 6, DATA_BITS = 17 };
enum { THREAT = 48, NEAR_THREAT = 12, COUNTER_THREAT = -4, FORCED = 20, REPLY = -2, ASIDE = -4, HEIGHT = -1 };

#define BOTTOM ((Word)0x40810204081)
#define COLUMN (((Word)1 << ROWS) - 1)
#define SENTINELS (BOTTOM << ROWS)
#define BOARD (BOTTOM * COLUMN)
#define TOP (BOTTOM << (ROWS - 1))
#define ODD_ROWS (BOTTOM * 0x2A)

/* Boards: search_board.py */

static inline int count(Word word) { return __builtin_popcountll(word); }

static inline Word playable(Word taken) { return (taken + BOTTOM) & BOARD; }

static inline Word completing_along(Word stones, int step) {
  Word left = stones << step, right = stones >> step;
  Word left_two = left & (left << step), right_two = right & (right >> step);
  return (left_two & ((stones << 3 * step) | right)) | (right_two & ((stones >> 3 * step) | left));
}

static inline Word completing(Word stones) {
  Word found = (stones << 1) & (stones << 2) & (stones << 3);
  found |= completing_along(stones, STEP) | completing_along(stones, STEP - 1) | completing_along(stones, STEP + 1);
  return found & BOARD;
}

static inline Word starts_along(Word squares, int step) {
  Word pairs = squares & (squares >> step);
  return pairs & (pairs >> 2 * step);
}

static inline Word slanted_lines(Word squares) {
  return starts_along(squares, STEP) | starts_along(squares, STEP - 1) | starts_along(squares, STEP + 1);
}

static inline Word on_lines_along(Word squares, int step) {
  Word covered = starts_along(squares, step);
  covered |= covered << step;
  return covered | (covered << 2 * step);
}

static inline Word on_lines(Word squares) {
  return on_lines_along(squares, 1) | on_lines_along(squares, STEP) | on_lines_along(squares, STEP - 1) |
         on_lines_along(squares, STEP + 1);
}

static inline Word from_lowest(Word squares) {
  Word marked = squares | SENTINELS;
  return (marked | ((BOARD & ~squares) + BOTTOM)) & BOARD;
}

static inline Word safe_moves(Word taken, Word threats) {
  Word moves = playable(taken), forced = moves & threats;
  moves = forced ? forced : moves;
  return forced & (forced - 1) ? 0 : moves & ~(threats >> 1);
}

static inline Word never_filled(Word own, Word other) {
  Word last = (own & other) | ((own & (own >> 1)) << 1) | ((other & (other >> 1)) << 1);
  return (from_lowest(last) << 1) & BOARD;
}

/* Bounds: search_bounds.py */

static inline int least_of(int one, int other) { return one < other ? one : other; }

static inline int most_of(int one, int other) { return one > other ? one : other; }

static inline int score_of(int plies) { return (SQUARES + 2 - plies) >> 1; }

static inline Word parity(Word squares) {
  for (int shift = 32; shift; shift >>= 1) squares ^= squares >> shift;
  return squares & 1;
}

static inline Word columns_under(Word tops) { return (tops << 1) - (tops >> (ROWS - 1)); }

static inline void follow_up(Word own, Word other, Word threats, Word *own_line, Word *closed, Word *other_line) {
  Word free = BOARD & ~(own | other), odd_firsts = ((own | other) + BOTTOM) & ODD_ROWS;
  Word free_in_odd = ((free + odd_firsts) & SENTINELS) - odd_firsts;
  Word firsts = (free & ~free_in_odd & ~ODD_ROWS) | (free_in_odd & ODD_ROWS), answers = free ^ firsts;
  Word ended = from_lowest(threats & answers), ends = firsts & TOP;
  Word closed_ends = ends & ended, open_ends = ends & ~ended, odd = 0 - parity(open_ends);
  Word given_up = closed_ends & -closed_ends & odd, none_left = odd & ((given_up - 1) >> 63);
  ended &= ~columns_under(given_up);
  Word granted = columns_under(open_ends | given_up);
  *own_line = slanted_lines(own | (firsts & ~ended) | (granted & free)) | none_left;
  *closed = ended;
  *other_line = slanted_lines(other | (answers & ~granted));
}

static inline int bound_by(Word own_line, Word closed, Word other_line) {
  if (own_line) return MOST;
  if (closed) return -score_of(SQUARES + 2 - count(closed) - count(closed & TOP));
  return other_line ? -score_of(SQUARES) : 0;
}

/* The table: search_table.py */

static Word *table;
static int rest_bits;

static inline void make_key(Word own, Word other, Word own_threats, Word other_threats, Word *first, Word *second) {
  Word taken = own | other, never = never_filled(own_threats, other_threats), first_free = taken + BOTTOM;
  own_threats &= ~never;
  other_threats &= ~never;
  Word free = BOARD & ~taken & ~never;
  *first = (on_lines((own | free) & ~own_threats) & own) | (own_threats << 1) | first_free;
  *second = (on_lines((other | free) & ~other_threats) & other) | (other_threats << 1) | first_free;
}

static void mirror_key(Word *first, Word *second) {
  Word one = 0, two = 0;
  for (int shift = 0; shift < STEP * COLUMNS; shift += STEP) {
    one = one << STEP | (*first >> shift & (2 * COLUMN + 1));
    two = two << STEP | (*second >> shift & (2 * COLUMN + 1));
  }
  if (one < *first || (one == *first && two < *second)) *first = one, *second = two;
}

static inline Word mix(Word first, Word second) {
  return (second * 0x9E3779B185EBCA87 ^ first * 0xC2B2AE3D27D4EB4F) & (BOARD | SENTINELS);
}

static inline Word *bucket(Word mixed) { return table + ((mixed >> rest_bits) << 2); }

static inline int is_entry(const Word *entry, Word first, Word rest) {
  return (entry[0] ^ entry[1]) == first && entry[1] >> DATA_BITS == rest;
}

static inline Word look_up(Word first, Word second) {
  Word mixed = mix(first, second), *at = bucket(mixed), rest = mixed & (((Word)1 << rest_bits) - 1);
  for (int i = 0; i < 4; i += 2)
    if (is_entry(at + i, first, rest)) return at[i + 1];
  return 0;
}

static inline int lower_bound(Word data) { return (int)(data & 63) - 32; }

static inline int upper_bound(Word data) { return (int)(data >> 6 & 63) - 32; }

static inline void write(Word *entry, Word first, Word rest, int least, int most, int work) {
  Word data = rest << DATA_BITS | (Word)(work << 12 | (most + 32) << 6 | (least + 32));
  entry[0] = first ^ data;
  entry[1] = data;
}

static void store(Word first, Word second, int least, int most, Word nodes) {
  Word mixed = mix(first, second), *at = bucket(mixed), rest = mixed & (((Word)1 << rest_bits) - 1);
  int work = nodes ? least_of(64 - __builtin_clzll(nodes), 31) : 0;
  for (int i = 0; i < 4; i += 2)
    if (is_entry(at + i, first, rest)) {
      least = most_of(least, lower_bound(at[i + 1]));
      most = least_of(most, upper_bound(at[i + 1]));
      write(at + i, first, rest, least, most, work);
      return;
    }
  if (work >= (int)(at[1] >> 12 & 31)) {
    at[2] = at[0];
    at[3] = at[1];
    write(at, first, rest, least, most, work);
  } else {
    write(at + 2, first, rest, least, most, work);
  }
}

/* The search: search_tree.py */

typedef struct {
  Word own[LANES], other[LANES], own_threats[LANES], other_threats[LANES], safe[LANES];
  Word first[LANES], second[LANES], own_line[LANES], closed[LANES], other_line[LANES];
  int least[LANES], most[LANES], ply[LANES], rank[LANES], order[LANES];
} Level;

typedef struct {
  int window, best, lanes, searched, sign, lane;
  Word entered;
} Node;

static Level levels[SQUARES + 2];
static Node stack[SQUARES + 2];
static Word nodes;

static void start(Word own, Word other, int *least, int *most) {
  Word taken = own | other, threats = completing(other) & ~taken, safe = safe_moves(taken, threats);
  int ply = count(taken);
  Level *root = levels;
  *least = -score_of(ply + 4), *most = score_of(ply + 3);
  if (completing(own) & playable(taken)) {
    *least = *most = score_of(ply + 1);
  } else if (!safe) {
    *least = *most = -score_of(ply + 2);
  } else if (ply >= SQUARES - 2) {
    *least = *most = 0;
  } else {
    root->own[0] = own, root->other[0] = other, root->safe[0] = safe;
    root->own_threats[0] = completing(own) & ~taken, root->other_threats[0] = threats;
    make_key(own, other, root->own_threats[0], threats, root->first, root->second);
    if (ply <= MIRRORED_PLIES) mirror_key(root->first, root->second);
    Word data = look_up(root->first[0], root->second[0]);
    if (data) *least = most_of(*least, lower_bound(data)), *most = least_of(*most, upper_bound(data));
    root->ply[0] = ply, root->least[0] = *least, root->most[0] = *most;
  }
}

static void keep(const Node *node, const Level *level, int score) {
  int at = node->lane, least = level->least[at], most = level->most[at];
  if (SQUARES - level->ply[at] < LEAST_KEPT) return;
  if (score >= node->window)
    least = score;
  else
    most = score;
  store(level->first[at], level->second[at], least, most, nodes - node->entered);
}

static int sort_lanes(Node *node, Level *level, int lanes) {
  Level *child = level + 1;
  int at = node->lane, ply = level->ply[at], best = NOTHING, most = NOTHING, dropped = NOTHING, last = 0;
  for (int i = 0; i < lanes; i++) {
    int low = child->least[i], high = child->most[i];
    if (low < high && SQUARES - child->ply[i] >= LEAST_KEPT) {
      Word data = look_up(child->first[i], child->second[i]);
      if (data) {
        child->least[i] = low = most_of(low, lower_bound(data));
        child->most[i] = high = least_of(high, upper_bound(data));
      }
    }
    if ((child->ply[i] - ply) & 1) {
      int negative = -low;
      low = -high;
      high = negative;
    }
    best = most_of(best, low);
    most = most_of(most, high);
    if (high < node->window) {
      dropped = most_of(dropped, high);
      continue;
    }
    int place = last++;
    for (; place && child->rank[child->order[place - 1]] < child->rank[i]; place--)
      child->order[place] = child->order[place - 1];
    child->order[place] = i;
  }
  level->most[at] = least_of(level->most[at], most);
  if (best >= node->window || !last) {
    int score = best >= node->window ? best : most;
    keep(node, level, score);
    return score;
  }
  node->best = dropped, node->lanes = last;
  return OPEN;
}

static int expand(Node *node, Level *level) {
  Level *child = level + 1;
  int at = node->lane, ply = level->ply[at], lanes = 0, lost = 0;
  node->lanes = node->searched = 0;
  for (int number = 0; number < COLUMNS; number++) {
    Word column = COLUMN << STEP * number, move = level->safe[at] & column;
    child->safe[lanes] = move;
    child->rank[lanes] = HEIGHT * count((move - 1) & column) + ASIDE * abs(2 * number - (COLUMNS - 1));
    lanes += move != 0;
  }
  for (int i = 0; i < LANES; i++) {
    Word move = child->safe[i], stones = level->own[at] | move, taken = level->other[at] | stones;
    child->own[i] = level->other[at], child->other[i] = stones;
    child->own_threats[i] = level->other_threats[at] & ~move;
    child->other_threats[i] = completing(stones) & ~taken;
    child->safe[i] = safe_moves(taken, child->other_threats[i]);
  }
  for (int i = 0; i < lanes; i++) lost |= !child->safe[i];
  if (lost) return score_of(ply + 3);
  level->most[at] = least_of(level->most[at], score_of(ply + 5));
  if (level->most[at] < node->window) return level->most[at];
  for (int i = 0; i < lanes; i++) {
    Word own = child->own[i], other = child->other[i], safe = child->safe[i];
    Word own_threats = child->own_threats[i], other_threats = child->other_threats[i];
    int now = ply + 1;
    for (; !(safe & (safe - 1)) && safe && now < SQUARES - 2; now++) {
      Word next = own | safe, threats = other_threats & ~safe;
      own = other, other = next;
      own_threats = threats, other_threats = completing(other) & ~(own | other);
      safe = safe_moves(own | other, other_threats);
    }
    child->own[i] = own, child->other[i] = other, child->safe[i] = safe, child->ply[i] = now;
    child->own_threats[i] = own_threats, child->other_threats[i] = other_threats;
  }
  for (int i = 0; i < LANES; i++)
    follow_up(child->own[i], child->other[i], child->other_threats[i], child->own_line + i, child->closed + i,
              child->other_line + i);
  int best = NOTHING;
  for (int i = 0; i < lanes; i++) {
    int now = child->ply[i];
    if (!child->safe[i]) {
      child->least[i] = child->most[i] = -score_of(now + 2);
    } else if (now >= SQUARES - 2) {
      child->least[i] = child->most[i] = 0;
    } else {
      child->least[i] = -score_of(now + 4);
      child->most[i] =
          least_of(bound_by(child->own_line[i], child->closed[i], child->other_line[i]), score_of(now + 3));
    }
    best = most_of(best, (now - ply) & 1 ? -child->most[i] : child->least[i]);
  }
  if (best >= node->window) return best;
  for (int i = 0; i < LANES; i++)
    make_key(child->own[i], child->other[i], child->own_threats[i], child->other_threats[i], child->first + i,
             child->second + i);
  for (int i = 0; i < lanes; i++) {
    if (child->ply[i] <= MIRRORED_PLIES) mirror_key(child->first + i, child->second + i);
    __builtin_prefetch(bucket(mix(child->first[i], child->second[i])));
  }
  for (int i = 0; i < lanes; i++) {
    int plies = child->ply[i] - ply, replies = plies & 1 ? count(child->safe[i]) : -count(child->safe[i]);
    Word own = plies & 1 ? child->other_threats[i] : child->own_threats[i];
    Word other = plies & 1 ? child->own_threats[i] : child->other_threats[i], never = never_filled(own, other);
    own &= ~never;
    other &= ~never;
    Word near = own & (playable(child->own[i] | child->other[i]) << 1);
    child->rank[i] += THREAT * count(own) + NEAR_THREAT * count(near) + COUNTER_THREAT * count(other);
    child->rank[i] += FORCED * (plies - 1) + REPLY * replies;
  }
  return sort_lanes(node, level, lanes);
}

static int search(int window) {
  Node *node = stack;
  Level *level = levels;
  node->window = window, node->lane = 0;
  for (;;) {
    node->entered = nodes++;
    int score = expand(node, level);
    while (score != OPEN || node->searched == node->lanes) {
      if (score == OPEN) score = node->best;
      if (node->lanes > 0) keep(node, level, score);
      if (node == stack) return score;
      score *= node->sign;
      node--, level--;
      node->best = most_of(node->best, score);
      if (score < node->window) score = OPEN;
    }
    int lane = level[1].order[node->searched++], plies = level[1].ply[lane] - level->ply[node->lane];
    node[1].lane = lane, node[1].sign = plies & 1 ? -1 : 1;
    node[1].window = plies & 1 ? 1 - node->window : node->window;
    node++, level++;
  }
}

static int next_window(int least, int most, int highest) {
  if (least <= 0 && 0 < most) return 1;
  if (least < 0 && 0 <= most) return 0;
  for (int fifths = 4; fifths > 2; fifths--) {
    int score = (fifths * highest + 4) / 5;
    if (least < score && score <= most) return score;
    if (least <= -score && -score < most) return 1 - score;
  }
  return least > 0 ? least + 1 : most;
}

static int solve(Word own, Word other) {
  int least, most, highest = 0;
  start(own, other, &least, &most);
  while (least < most) {
    if (!highest && (least > 0 || most < 0)) highest = most_of(most, -least);
    int window = next_window(least, most, highest), score = search(window);
    if (score >= window)
      levels->least[0] = least = score;
    else
      levels->most[0] = most = score;
  }
  return least;
}

int main(int words, char **arguments) {
  size_t bytes = (size_t)(words > 1 ? atoi(arguments[1]) : 256) << 20, huge = (size_t)2 << 20;
  rest_bits = STEP * COLUMNS;
  for (size_t half = bytes / 32; half > 1; half /= 2) rest_bits--;
  char *memory = mmap(0, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return perror("no memory for the table"), 1;
  table = (Word *)(((uintptr_t)memory + huge - 1) & ~(huge - 1));
#ifdef MADV_HUGEPAGE
  madvise(table, bytes, MADV_HUGEPAGE);
#endif
  for (size_t at = 0; at < bytes / sizeof(Word); at += 512) table[at] = 0; /* so that no later access waits for it */
  char line[64];
  clock_t begun = clock();
  while (fgets(line, sizeof line, stdin)) {
    Word own = 0, other = 0;
    for (char *column = line; *column >= '1' && *column < '1' + COLUMNS; column++) {
      int shift = STEP * (*column - '1');
      Word stones = own | (((own | other) + ((Word)1 << shift)) & (COLUMN << shift));
      own = other, other = stones;
    }
    printf("%d\n", solve(own, other));
  }
  printf("%llu %.6f\n", (unsigned long long)nodes, (double)(clock() - begun) / CLOCKS_PER_SEC);
  return 0;
}
