"""The layout of pages: the page of a position, the place in that page, and the encoding of values.

docs/reference/file-format.md describes the format, with an example. A page contains the positions with the same key:
the smallest image of a set of stones. A position's place in its page is the rank of a second set, mapped by the same
symmetry. The *index bits* number the squares that the second set may use. There are two kinds of games and of pages:

    kind        key               index bits              second set
    placement   X's stones (a)    the free squares        O's stones: first the sets of a-1, then the sets of a
    gravity     all stones (s)    the squares of the key  X's stones: the sets of ceil(s/2)

A raw page consists of bit planes: the sign, and a plane per binary digit of the count, the least significant first. The
sign is 1 if the game ends with a line of O. The count is 0 if nobody makes a line, else (last - T) / 2 + 1. T is the
ply at which the game ends under best play; `last` is the greatest ply at which the side that makes the line can do so.

The bits of finished games are 0. On placement pages, if the game is not misere and lasts until the board is full, the
bits of positions *decided by threats* are 0 too: either the side to move can complete a line, or the other side can
complete one on each of at least two squares.

>>> layout_of(parse_game("2,2,2,misere"), "distance").page_size(0b0001)
PageSize(positions=4, digits=2, raw_bytes=3)

The smallest image of a set is found in steps (see `SymmetryGroup.steps`). The images of a set under the permutations of
a step are packed into one integer, with a field for each permutation. Each image of a union of sets is the OR of
the sets' images. So one table of 256 entries for each byte of a mask is enough:

    images(mask) = tables[0][mask & 255] | tables[1][mask >> 8 & 255] | ...
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from math import comb
from struct import Struct
from typing import NamedTuple

from solver.game.lines import completing
from solver.game.position import Position
from solver.game.rules import MAX_SQUARES, Rules
from solver.game.symmetry import Permutation, SymmetryGroup
from solver.game.value import Value
from solver.store.schema import Metric

Path = tuple[int, ...]  # an element of a group: the number of a permutation in each step, see `SymmetryGroup.steps`


class Images:
    """The images of masks of up to 64 squares under a group.

    >>> both = Images(SymmetryGroup(3, (((0, 1, 2), (2, 1, 0)),)))
    >>> both.canonical(0b110), both.image(0b100, (1,))
    ((3, (1,)), 1)
    """

    def __init__(self, group: SymmetryGroup) -> None:
        *steps, listed = group.steps
        self._bits = group.squares
        self._steps = [(_StepImages(step.permutations), step.fixed) for step in steps]
        self._listed = _StepImages(listed.permutations)

    def canonical(self, mask: int) -> tuple[int, Path]:
        """Return the smallest image of a mask, and a group element that maps the mask to it."""
        if not self._steps:
            images = self._listed.all_of(mask)
            smallest = min(images)
            return smallest, (images.index(smallest),)
        found: dict[int, Path] = {mask: ()}
        for step, fixed in self._steps:
            before, found, most = found, {}, 1 << self._bits
            for start, path in before.items():
                images = step.all_of(start)
                smallest = min(images)
                if smallest < most:
                    least = smallest >> fixed
                    if (least + 1) << fixed < most:
                        found, most = {}, (least + 1) << fixed
                    for i, image in enumerate(images):
                        if image < most:
                            found[image] = (*path, i)
        last = [(self._listed.all_of(image), path) for image, path in found.items()]
        smallest, images, path = min((min(images), images, path) for images, path in last)
        return smallest, (*path, images.index(smallest))

    def image(self, mask: int, path: Path) -> int:
        """Return the image of a mask under the group element `path`."""
        for (step, _), number in zip(self._steps, path, strict=False):
            mask = step.one_of(mask, number)
        return self._listed.one_of(mask, path[-1])


class _StepImages:
    def __init__(self, permutations: Sequence[Permutation]) -> None:
        squares = len(permutations[0])
        self._bits, field = (32, "I") if squares <= 32 else (64, "Q")  # wider fields take longer to compare
        self._fields = Struct(f"<{len(permutations)}{field}")
        single = [
            int.from_bytes(self._fields.pack(*(1 << permutation[square] for permutation in permutations)), "little")
            for square in range(squares)
        ]
        self._tables = [_unions(single[first : first + 8]) for first in range(0, squares, 8)]

    def all_of(self, mask: int) -> tuple[int, ...]:
        """Return a mask's image under each permutation."""
        return self._fields.unpack(self._packed(mask).to_bytes(self._fields.size, "little"))

    def one_of(self, mask: int, number: int) -> int:
        """Return a mask's image under one permutation."""
        return self._packed(mask) >> self._bits * number & (1 << self._bits) - 1

    def _packed(self, mask: int) -> int:
        images = 0
        for table in self._tables:
            images |= table[mask & 255]
            mask >>= 8
        return images


def _unions(single: Sequence[int]) -> list[int]:
    """Return, for each mask of up to 8 squares, the OR of the entries of its squares in `single`."""
    unions = [0]
    for entry in single:
        unions += [union | entry for union in unions]
    return unions


# BINOMIAL[n][k] = n choose k, with a few zeros past the end, so that ranking any set stays in range.
BINOMIAL = [[comb(n, k) for k in range(MAX_SQUARES + 2)] for n in range(MAX_SQUARES + 2)]

CODES = 64  # the number of codes 2 * count + sign in a game of up to 62 squares


class MeaninglessBits(ValueError):
    """Raised if a position's bits do not encode a possible value."""


class PageSize(NamedTuple):
    """The size of a page."""

    positions: int
    digits: int  # binary digits of a count
    raw_bytes: int  # the bytes of all planes

    @property
    def plane_bytes(self) -> int:
        """Return the number of bytes of one plane."""
        return self.positions + 7 >> 3


def colex_rank(chosen: int, allowed: int) -> int:
    """Return the rank of `chosen` among the subsets of `allowed` of the same size, ordered as integers.

    >>> [colex_rank(chosen, 0b1111) for chosen in (0b0011, 0b0101, 0b0110, 0b1001)]
    [0, 1, 2, 3]
    """
    rank = size = 0
    while chosen:
        lowest = chosen & -chosen
        chosen ^= lowest
        size += 1
        rank += BINOMIAL[(allowed & lowest - 1).bit_count()][size]
    return rank


def colex_set(rank: int, size: int) -> int:
    """Return the set of `size` squares whose `colex_rank` is `rank` if all squares are allowed."""
    bits = 0
    while size:
        top = size - 1
        while BINOMIAL[top + 1][size] <= rank:
            top += 1
        bits |= 1 << top
        rank -= BINOMIAL[top][size]
        size -= 1
    return bits


class PageLayout:
    """The geometry of a game's pages; `layout_of` returns the shared instance."""

    def __init__(self, rules: Rules, metric: Metric) -> None:
        self.rules = rules
        self.metric = metric
        self.squares = rules.squares
        self.has_gravity = rules.has_supports
        self.has_threats = not self.has_gravity and not rules.misere and rules.plies == rules.squares
        """True if the bits of positions decided by threats are 0; see the top of this file."""
        self._all = (1 << rules.squares) - 1
        self._sizes = [self._size(stones) for stones in range(rules.squares + 1)]
        self._values: dict[int, list[Value | None]] = {}

    @cached_property
    def images(self) -> Images:
        """The images of masks under the symmetries of the rules; computed at the first probe."""
        return Images(self.rules.symmetries)

    def largest_page(self, stones: int | None = None) -> int:
        """Return the bytes of the largest raw page whose key has up to `stones` stones, by default any number."""
        return max(size.raw_bytes for size in self._sizes[: None if stones is None else stones + 1])

    def page_size(self, key: int) -> PageSize:
        """Return the size of the page with this key."""
        return self._sizes[key.bit_count()]

    def _size(self, stones: int) -> PageSize:
        squares = self.squares
        if self.has_gravity:
            count, first = comb(stones, (stones + 1) // 2), stones + 1
        else:
            count, first = comb(squares - stones + 1, stones), max(2 * stones, 1)
        plies = range(first, self.rules.plies + 1)
        odd, even = (len([ply for ply in plies if ply % 2 == parity]) for parity in (1, 0))
        digits = 1 if self.metric == "wdl" else max(odd.bit_length(), even.bit_length(), 1)
        return PageSize(count, digits, (count + 7 >> 3) * (1 + digits))

    def locate(self, position: Position) -> tuple[int, int]:
        """Return (key, rank) of a position: its page, and its place in that page."""
        x, o = position.x, position.o
        if self.has_gravity:
            key, element = self.images.canonical(x | o)
            return key, colex_rank(self.images.image(x, element), key)
        key, element = self.images.canonical(x)
        stones = x.bit_count()
        first = BINOMIAL[self.squares - stones][stones - 1] if stones and o.bit_count() == stones else 0
        return key, first + colex_rank(self.images.image(o, element), self._all ^ key)

    def answer(self, position: Position, page: Callable[[int], bytes]) -> Value:
        """Return the value of an unfinished position; `page(key)` returns a raw page. Raises MeaninglessBits."""
        decided = self.decided_by_threats(position)
        if decided:
            return decided
        key, rank = self.locate(position)
        return self.value(page(key), self.page_size(key), rank, position.ply)

    def decided_by_threats(self, position: Position) -> Value | None:
        """Return the value of an unfinished position if threats decide it, else None."""
        if not self.has_threats:
            return None
        x, o = position.x, position.o
        own, lines, other, other_lines = x, self.rules.x_lines, o, self.rules.o_lines
        if position.to_move == "O":
            own, lines, other, other_lines = other, other_lines, own, lines
        timed = self.metric == "distance"
        if completing(lines, own, x | o):
            return Value(1, 1 if timed else None)
        threats = completing(other_lines, other, x | o)
        return Value(-1, 2 if timed else None) if threats & (threats - 1) else None

    def value(self, raw: bytes, size: PageSize, rank: int, ply: int) -> Value:
        """Return the value of position `rank` of a raw page, for the side to move at `ply`. Raises MeaninglessBits."""
        byte, shift = rank >> 3, rank & 7
        code = raw[byte] >> shift & 1
        stride = size.plane_bytes
        for digit in range(1, size.digits + 1):
            byte += stride
            code |= (raw[byte] >> shift & 1) << digit
        value = self.values(ply)[code]
        if value is None:
            raise MeaninglessBits(f"the bits of position {rank} of a page encode no value at ply {ply}")
        return value

    def values(self, ply: int) -> list[Value | None]:
        """Return the value of each code (2 * count + sign) at a ply; None for codes that encode no value."""
        if ply not in self._values:
            self._values[ply] = [self._meaning(code >> 1, code & 1, ply) for code in range(CODES)]
        return self._values[ply]

    def _meaning(self, count: int, sign: int, ply: int) -> Value | None:
        timed = self.metric == "distance"
        if count == 0:
            return None if sign else Value(unfinished_wdl(self.rules, ply), self.rules.plies - ply if timed else None)
        end = last_ply(self.rules.plies, sign) - 2 * (count - 1)
        if end <= ply or not (timed or count == 1):
            return None
        owner_moves = ply % 2 == sign
        wins = owner_moves != self.rules.misere
        return Value(1 if wins else -1, end - ply if timed else None)


@lru_cache(maxsize=32)
def layout_of(rules: Rules, metric: Metric) -> PageLayout:
    """Return the geometry of a game's pages."""
    return PageLayout(rules, metric)


def unfinished_wdl(rules: Rules, ply: int) -> int:
    """Return the value, for the side to move at a ply, of a game in which nobody completes a line: 1, 0 or -1."""
    if rules.unfinished is None:
        return 0
    return 1 if rules.unfinished == ("O" if ply % 2 else "X") else -1


def last_ply(plies: int, sign: int) -> int:
    """Return the last ply up to `plies` at which a side can make a line: odd for X (sign 0), even for O (sign 1).

    >>> last_ply(16, 0), last_ply(16, 1)
    (15, 16)
    """
    return plies if plies % 2 != sign else plies - 1
