"""Probe many positions at once with NumPy, given their hashes.

In a small table a probe is one look-up in the dense array. In a table of pages, every step of `layout` is vectorized:
the digits of hashes, canonical keys and ranks are found for all positions together; the bits are read page by page.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from solver.errors import ImpossiblePosition
from solver.game.arrays import byte_images
from solver.game.base3 import HASHED_SQUARES
from solver.game.lines import Line
from solver.game.position import Position
from solver.game.rules import Rules
from solver.store.layout import BINOMIAL, CODES, MeaninglessBits, PageLayout, unfinished_wdl
from solver.store.reader import TableReader
from solver.store.schema import NO_DISTANCE, UNREACHABLE

Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint32 | np.int64]
Flags = npt.NDArray[np.bool_]
Values = tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]
Answer = Callable[[Ints], Values]
Bulk = Callable[[npt.ArrayLike], Values]

_CHUNK = 1 << 20  # positions per step in a table of pages: about 100 MB of intermediate arrays
_DIGITS = 8  # squares of a hash decoded by one look-up
_UNKNOWN = -1
UNKNOWN_WDL = -128  # of a position after the last ply of an opening table; no sum or mean can hide it
_BINOMIAL = np.array(BINOMIAL, np.int64)
_NARROWED = 256  # masks whose smallest images are found together in a large group: about 100 MB of other images


def bulk_of(reader: TableReader, dense: bytes, page: Callable[[int], bytes]) -> Bulk:
    """Return a function that maps hashes (integers, [...]) to wdl (int8[...]) and distance (int16[...]).

    Hashes beyond int64, on boards of more than 39 squares, are whole numbers of Python in an array of objects.
    An unknown distance is -1, an unknown wdl UNKNOWN_WDL. The function raises ImpossiblePosition for the first hash
    that is not a position.
    """
    if reader.storage == "positions":
        answer = _dense_bulk(reader.rules, dense)
    elif reader.rules.squares > HASHED_SQUARES:
        answer = _single_bulk(reader, page)
    else:
        answer = PagedBulk(reader.layout, page, reader.opening_plies)

    def probe(hashes: npt.ArrayLike) -> Values:
        numbers = np.asarray(hashes)
        is_large = reader.rules.squares > HASHED_SQUARES
        kind = numbers.dtype.kind
        if not is_large and (kind == "u" or (kind == "O" and all(isinstance(one, int) for one in numbers.flat))):
            outside = (numbers < 0) | (numbers > np.iinfo(np.int64).max)
            if outside.any():
                _refuse(reader.rules, numbers.ravel(), outside.ravel())
            numbers = numbers.astype(np.int64)
        if numbers.size and not (numbers.dtype.kind in "iu" or (is_large and numbers.dtype.kind == "O")):
            raise TypeError(f"hashes must be integers, not {numbers.dtype}")
        try:
            wdl, distance = answer(numbers.astype(object if is_large else np.int64, copy=False).reshape(-1))
        except MeaninglessBits as error:
            raise reader.damaged(str(error)) from error
        return wdl.reshape(numbers.shape), distance.reshape(numbers.shape)

    return probe


def _dense_bulk(rules: Rules, dense: bytes) -> Answer:
    """For a table of positions, return a function like the one from `bulk_of`, but only for flat arrays of hashes."""
    code_of, every = np.frombuffer(dense, np.uint8), np.arange(UNREACHABLE + 1)
    wdl = ((every >> 4) - 1).astype(np.int8)
    distance = np.where(every & 15 == NO_DISTANCE, _UNKNOWN, every & 15).astype(np.int16)

    def answer(hashes: Ints) -> Values:
        if hashes.min(initial=0) < 0 or hashes.max(initial=0) >= code_of.size:
            outside = (hashes < 0) | (hashes >= code_of.size)
            _refuse(rules, hashes, outside | (code_of[np.where(outside, 0, hashes)] == UNREACHABLE))
        codes = code_of[hashes]
        if codes.max(initial=0) == UNREACHABLE:
            _refuse(rules, hashes, codes == UNREACHABLE)
        return wdl[codes], distance[codes]

    return answer


def _single_bulk(reader: TableReader, page: Callable[[int], bytes]) -> Answer:
    """For hashes beyond int64, return a function like the one from `bulk_of`, for flat arrays of objects."""
    last = reader.rules.plies if reader.opening_plies is None else reader.opening_plies

    def value_of(number: object) -> tuple[int, int]:
        position = Position.parse(reader.rules, number)
        value = position.value_if_over
        if value is None:
            if position.ply > last:
                return UNKNOWN_WDL, _UNKNOWN
            value = reader.layout.answer(position, page)
        unknown = reader.metric == "wdl" or value.distance is None
        return value.wdl, _UNKNOWN if unknown else value.distance or 0

    def answer(numbers: Ints) -> Values:
        values = np.array([value_of(number) for number in numbers.tolist()], np.int16).reshape(-1, 2)
        return values[:, 0].astype(np.int8), values[:, 1]

    return answer


class PagedBulk:
    """A function like the one from `bulk_of`, for a table of pages, but only for flat arrays of hashes.

    `page(key)` returns a raw page. Raises MeaninglessBits, and the same errors as `page`.
    """

    def __init__(self, layout: PageLayout, page: Callable[[int], bytes], opening_plies: int | None = None) -> None:
        self._page = page
        self._opening_plies = opening_plies
        self._rules = layout.rules
        self._layout = layout
        # The narrowest type of masks that fits the board: operations on 64 bits take twice as long.
        self._mask: type[np.uint32 | np.int64] = np.uint32 if self._rules.squares <= 32 else np.int64
        # images[g, b, v] of a step: the image under permutation g of the squares in byte b of a mask, for its value v.
        used = (self._rules.squares + 7) // 8
        self._steps: list[tuple[Masks, int]] = [
            (byte_images(step.permutations)[:, :used].astype(self._mask), step.fixed)
            for step in self._rules.symmetries.steps
        ]
        # The stones of the low digits of a hash.
        digits = np.arange(3**_DIGITS)[:, None] // 3 ** np.arange(_DIGITS) % 3
        self._x_of, self._o_of = (((digits == mark) @ (1 << np.arange(_DIGITS))).astype(self._mask) for mark in (1, 2))
        self._meanings = _meanings(layout)

    def __call__(self, hashes: Ints) -> Values:
        """Return (wdl, distance) of all hashes, which are processed in chunks."""
        wdl = np.zeros(hashes.size, np.int8)
        distance = np.full(hashes.size, _UNKNOWN, np.int16)
        for first in range(0, hashes.size, _CHUNK):
            part = slice(first, first + _CHUNK)
            self._answer(hashes[part], wdl[part], distance[part])
        return wdl, distance

    def _answer(self, hashes: Ints, wdl: npt.NDArray[np.int8], distance: npt.NDArray[np.int16]) -> None:
        outside: Flags = (hashes < 0) | (hashes >= 3**self._rules.squares)
        x, o = self._stones(np.where(outside, 0, hashes))
        ply = np.bitwise_count(x | o)
        x_lines, o_lines = self._has_line(self._rules.x_lines, x), self._has_line(self._rules.o_lines, o)
        bad = outside | (ply > self._rules.plies) | self._impossible(x, o, x_lines, o_lines)
        if bad.any():
            _refuse(self._rules, hashes, bad)
        full = ply == self._rules.plies
        lines = x_lines | o_lines
        # The side with a line has won, or lost in misere; the other side is to move.
        wdl[full] = unfinished_wdl(self._rules, self._rules.plies)
        wdl[lines] = 1 if self._rules.misere else -1
        timed = self._layout.metric == "distance"
        distance[lines | full] = 0 if timed else _UNKNOWN
        live = np.flatnonzero(~(lines | full))
        if self._layout.has_threats:
            won, lost = self._decided(x[live], o[live], ply[live])
            wdl[live[won]], wdl[live[lost]] = 1, -1
            if timed:
                distance[live[won]], distance[live[lost]] = 1, 2
            live = live[~(won | lost)]
        if self._opening_plies is not None:
            beyond = ply[live] > self._opening_plies
            wdl[live[beyond]] = UNKNOWN_WDL
            live = live[~beyond]
        if live.size:
            keys, ranks = self._locate(x[live], o[live])
            wdl[live], distance[live] = self._decode(keys, ranks, ply[live])

    def _decided(self, x: Masks, o: Masks, ply: npt.NDArray[np.uint8]) -> tuple[Flags, Flags]:
        """Return (won, lost): the unfinished positions that threats decide, as in `PageLayout.decided_by_threats`."""
        x_moves, taken = ply % 2 == 0, x | o
        own, other = np.where(x_moves, x, o), np.where(x_moves, o, x)
        won = self._completing(x_moves, own, taken) > 0
        threats = self._completing(~x_moves, other, taken)
        return won, ~won & (threats & (threats - 1) > 0)

    def _completing(self, of_x: Flags, stones: Masks, taken: Masks) -> Masks:
        """Return the squares that complete a line of X where `of_x` is set, else of O; see `lines.completing`."""
        squares = np.zeros_like(stones)
        x_lines, o_lines = frozenset(self._rules.x_lines), frozenset(self._rules.o_lines)
        for line in self._rules.lines:
            missing = line.mask & ~stones
            single = (missing & (missing - 1) | missing & taken | stones & line.guard) == 0
            if not self._rules.is_even:
                single &= of_x & (line in x_lines) | ~of_x & (line in o_lines)
            squares |= np.where(single, missing, 0)
        return squares

    def _stones(self, hashes: Ints) -> tuple[Masks, Masks]:
        x, o = np.zeros(hashes.size, self._mask), np.zeros(hashes.size, self._mask)
        rest = hashes
        for first in range(0, self._rules.squares, _DIGITS):
            rest, low = np.divmod(rest, 3**_DIGITS)
            x |= self._x_of[low] << first
            o |= self._o_of[low] << first
        return x, o

    def _has_line(self, lines: Iterable[Line], stones: Masks) -> Flags:
        found = np.zeros(stones.size, np.bool_)
        for line in lines:
            # All squares of the line must be taken, and no square of the guard.
            found |= (stones & (line.mask | line.guard)) == line.mask
        return found

    def _impossible(self, x: Masks, o: Masks, x_lines: Flags, o_lines: Flags) -> Flags:
        ahead = np.bitwise_count(x).astype(np.int8) - np.bitwise_count(o).astype(np.int8)
        bad: Flags = (ahead != 0) & (ahead != 1) | x_lines & (ahead == 0) | o_lines & (ahead == 1)
        taken = x | o
        for square, below in enumerate(self._rules.supports):
            if below >= 0:
                bad |= (taken >> square & 1 > 0) & (taken >> below & 1 == 0)
        bad |= np.bitwise_count(taken) > self._rules.plies
        for lines, lined, stones in ((self._rules.x_lines, x_lines, x), (self._rules.o_lines, o_lines, o)):
            over = np.flatnonzero(lined & ~bad)
            bad[over] = ~self._line_was_last(lines, stones[over], taken[over])
        return bad

    def _line_was_last(self, lines: Sequence[Line], stones: Masks, taken: Masks) -> Flags:
        """Return True where the winner can take back a stone, with no stone on top of it, so that no line is left."""
        found = np.zeros(stones.size, np.bool_)
        above = {below: square for square, below in enumerate(self._rules.supports) if below >= 0}
        in_lines = 0
        for line in lines:
            in_lines |= line.mask
        for square in range(self._rules.squares):
            if not in_lines >> square & 1:
                continue
            bit = self._mask(1 << square)
            candidates = ~found & (stones & bit > 0)
            if square in above:
                candidates &= taken >> above[square] & 1 == 0
            chosen = np.flatnonzero(candidates)
            found[chosen] = ~self._has_line(lines, stones[chosen] & ~bit)
        return found

    def _locate(self, x: Masks, o: Masks) -> tuple[Masks, Ints]:
        drop = self._layout.has_gravity
        key_stones, ranked = (x | o, x) if drop else (x, o)
        distinct, place = np.unique(key_stones, return_inverse=True)
        keys, elements = self._canonical(distinct)
        keys, chosen = keys[place], ranked
        for (images, _), numbers in zip(self._steps, elements, strict=True):
            chosen = _images(images, numbers[place], chosen)
        allowed = keys if drop else ~keys
        ranks = colex_ranks(chosen, allowed, self._rules.squares)
        if not drop:
            stones = np.bitwise_count(keys).astype(np.int64)
            before = _BINOMIAL[self._rules.squares - stones, np.maximum(stones - 1, 0)]
            ranks += np.where((np.bitwise_count(o) == stones) & (stones > 0), before, 0)
        return keys, ranks

    def _canonical(self, masks: Masks) -> tuple[Masks, Ints]:
        """Return the smallest image of each mask, and the permutations (int64[steps, P]) that map the masks to them."""
        if len(self._steps) == 1:
            return self._narrow(masks)
        found = [self._narrow(masks[first : first + _NARROWED]) for first in range(0, masks.size, _NARROWED)]
        return np.concatenate([keys for keys, _ in found]), np.concatenate([paths for _, paths in found], axis=1)

    def _narrow(self, masks: Masks) -> tuple[Masks, Ints]:
        """Do the work of `_canonical`. All images that can still become the smallest are kept in memory."""
        rows, paths = np.arange(masks.size), np.zeros((0, masks.size), np.int64)
        for tables, fixed in self._steps[:-1]:
            images = np.stack([_images(tables, number, masks) for number in range(len(tables))])
            rest, least = images >> fixed, np.full(rows[-1] + 1, np.iinfo(masks.dtype).max)
            np.minimum.at(least, rows, rest.min(axis=0))
            numbers, kept = np.nonzero(rest == least[rows])
            masks, rows, paths = images[numbers, kept], rows[kept], np.vstack([paths[:, kept], numbers])
            order = np.argsort(rows, kind="stable")
            masks, rows, paths = masks[order], rows[order], paths[:, order]
        best, last = masks.copy(), np.zeros(masks.size, np.int64)
        for number in range(len(self._steps[-1][0])):
            image = _images(self._steps[-1][0], number, masks)
            last[image < best] = number
            np.minimum(best, image, out=best)
        if len(self._steps) > 1:
            order = np.lexsort((best, rows))
            order = order[np.unique(rows[order], return_index=True)[1]]
            best, last, paths = best[order], last[order], paths[:, order]
        return best, np.vstack([paths, last])

    def _decode(self, keys: Masks, ranks: Ints, ply: npt.NDArray[np.uint8]) -> Values:
        codes = np.zeros(keys.size, np.uint8)
        order = np.argsort(keys, kind="stable")
        distinct, starts = np.unique(keys[order], return_index=True)
        for key, where in zip(distinct.tolist(), np.split(order, starts[1:]), strict=True):
            size = self._layout.page_size(key)
            planes = np.frombuffer(self._page(key), np.uint8).reshape(size.digits + 1, size.plane_bytes)
            at, shift = ranks[where] >> 3, (ranks[where] & 7).astype(np.uint8)
            for digit, plane in enumerate(planes):
                codes[where] |= (plane[at] >> shift & 1) << np.uint8(digit)
        wdl, distance = self._meanings
        values = wdl[ply, codes], distance[ply, codes]
        if (values[0] == _NOTHING).any():
            raise MeaninglessBits("the bits of a page encode no value")
        return values


def _images(tables: Masks, numbers: Ints | int, masks: Masks) -> Masks:
    """Return the images of masks, either all under one permutation of a step or each under its own."""
    images = np.zeros_like(masks)
    for byte in range(tables.shape[1]):
        images |= tables[numbers, byte, masks >> 8 * byte & 255]
    return images


_NOTHING = 2  # the wdl of codes that encode no value


def colex_ranks(chosen: Masks, allowed: Masks, squares: int) -> Ints:
    """Return `layout.colex_rank(chosen[i], allowed[i])` for each index i."""
    ranks = np.zeros(chosen.size, np.int64)
    before = np.zeros(chosen.size, np.int64)  # index bits below the square
    taken = np.zeros(chosen.size, np.int64)  # stones below it, and on it
    for square in range(squares):
        stone = (chosen >> square & 1).astype(np.int64)
        taken += stone
        ranks += stone * _BINOMIAL[before, taken]
        before += allowed >> square & 1
    return ranks


def _meanings(layout: PageLayout) -> Values:
    """Return `PageLayout.values` as arrays wdl[ply, code] and distance[ply, code]."""
    shape = (layout.squares + 1, CODES)
    wdl, distance = np.full(shape, _NOTHING, np.int8), np.full(shape, _UNKNOWN, np.int16)
    for ply in range(layout.squares + 1):
        for code, value in enumerate(layout.values(ply)):
            if value is not None:
                wdl[ply, code] = value.wdl
                distance[ply, code] = _UNKNOWN if value.distance is None else value.distance
    return wdl, distance


def _refuse(rules: Rules, hashes: Ints, bad: Flags) -> NoReturn:
    number = int(hashes[np.argmax(bad)])
    raise ImpossiblePosition(f"The hash {number} is not a possible position of {rules}.")
