"""Symmetries: permutations of the squares that preserve the rules.

They save work: symmetric positions have the same value, so a table stores one page for each orbit of sets of stones,
and a strategy one move for each orbit of positions. A board of more than 36 squares has no table, but its searches and
strategies need symmetries even more: the 4,032 positions of Qubic after two plies have 35 orbits.

A permutation p is a tuple: p[s] is the image of square s. The group is computed from the lines, so it includes
hidden symmetries: 4,4,4 has 32 symmetries, although its board has 8.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import NamedTuple

from solver.game.lines import Line, mask_of, squares_of

Permutation = tuple[int, ...]
Cycles = tuple[int, ...]  # the cycles of a permutation of the squares, as bitmasks

LISTED = 64
"""The most elements of a subgroup that is listed; in a larger group, smallest images are found faster by squares."""


class Step(NamedTuple):
    """A step towards the smallest image of a set: one of the step's permutations is applied."""

    permutations: tuple[Permutation, ...]  # the identity comes first
    fixed: int  # no later step moves this square or a higher one


@dataclass(frozen=True)
class SymmetryGroup:
    """A group of permutations of the squares, as a chain of stabilisers (Sims 1970).

    The smallest image of a set is the image whose mask is the least number. The chain leads to it: each step keeps the
    images whose masks are least on the squares that no later step moves (Linton, ISSAC 2004).
    """

    squares: int
    orbits: tuple[tuple[Permutation, ...], ...]
    """For each square t of the chain, from the last one down: for each square s in the orbit of t, a permutation that
    maps s to t and fixes all later squares."""

    @property
    def order(self) -> int:
        """The number of symmetries."""
        return prod(map(len, self.orbits))

    @cached_property
    def elements(self) -> tuple[Permutation, ...]:
        """All permutations, sorted, so that the identity comes first."""
        found = [tuple(range(self.squares))]
        for orbit in reversed(self.orbits):
            found = [compose(after, before) for before in orbit for after in found]
        return tuple(sorted(found))

    def orbit(self, square: int) -> tuple[int, ...]:
        """Return the images of a square, ascending."""
        images = {square}
        for permutations, _ in self.steps:
            images = {permutation[image] for image in images for permutation in permutations}
        return tuple(sorted(images))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps to the smallest image. Every element is a product of one permutation from each step, in this order.

        The last step lists a subgroup, which is the whole group if that has at most LISTED elements.
        """
        listed = self.limited(LISTED)
        single = self.orbits[: len(self.orbits) - len(listed.orbits)]
        moved = ([s for p in orbit for s, image in enumerate(p) if image != s] for orbit in self.orbits[1:])
        fixed = [max(squares) + 1 for squares in moved]
        return (
            *(Step(orbit, square) for orbit, square in zip(single, [*fixed, 0], strict=False)),
            Step(listed.elements, 0),
        )

    def limited(self, most: int) -> "SymmetryGroup":
        """Return the largest subgroup of the chain with at most `most` elements."""
        first = len(self.orbits)
        while first and prod(map(len, self.orbits[first - 1 :])) <= most:
            first -= 1
        return SymmetryGroup(self.squares, self.orbits[first:])


def listed_group(elements: Sequence[Permutation]) -> SymmetryGroup:
    """Return the group with these elements."""
    squares, orbits, fixing = len(elements[0]), list[tuple[Permutation, ...]](), sorted(elements)
    for square in reversed(range(squares)):
        orbit: dict[int, Permutation] = {}
        for permutation in fixing:
            orbit.setdefault(permutation.index(square), permutation)
        orbits.append(tuple(orbit.values()))
        fixing = [permutation for permutation in fixing if permutation[square] == square]
    return SymmetryGroup(squares, tuple(orbit for orbit in orbits if len(orbit) > 1))


def transform(mask: int, permutation: Permutation) -> int:
    """Return the image of a set of squares."""
    image = 0
    while mask:
        lowest = mask & -mask
        image |= 1 << permutation[lowest.bit_length() - 1]
        mask ^= lowest
    return image


def compose(outer: Permutation, inner: Permutation) -> Permutation:
    """Return the permutation that applies `inner`, then `outer`."""
    return tuple([outer[s] for s in inner])


def invert(permutation: Permutation) -> Permutation:
    """Return the inverse of a permutation."""
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def cycles(permutation: Sequence[int]) -> list[list[int]]:
    """Return the cycles of a permutation, including fixed points, sorted; each starts with its least element.

    >>> cycles((1, 0, 2))
    [[0, 1], [2]]
    """
    left, found = set(range(len(permutation))), []
    while left:
        cycle, image = [], min(left)
        while image in left:
            left.remove(image)
            cycle.append(image)
            image = permutation[image]
        found.append(cycle)
    return found


def cycle_masks(permutation: Permutation) -> Cycles:
    """Return the cycles of a permutation of the squares as bitmasks, in the order of `cycles`."""
    return tuple(mask_of(cycle) for cycle in cycles(permutation))


def preserves(permutation: Permutation, sides: Sequence[Sequence[Line]], supports: Sequence[int]) -> bool:
    """Return True if a permutation maps each side's lines (with their guards) and the supports onto themselves."""
    for square, below in enumerate(supports):
        if supports[permutation[square]] != (permutation[below] if below >= 0 else -1):
            return False
    for lines in sides:
        known = set(lines)
        if not all(Line(transform(mask, permutation), transform(guard, permutation)) in known for mask, guard in lines):
            return False
    return True


def board_generators(m: int, n: int, torus: bool) -> tuple[Permutation, ...]:
    """Return permutations that generate the rotations and reflections of a board, and on a torus the cyclic shifts."""
    cells = list(product(range(m), range(n)))
    images = [[(m - 1 - r, c) for r, c in cells], [(r, n - 1 - c) for r, c in cells]]
    if m == n:
        images.append([(c, r) for r, c in cells])
    if torus:
        images += [[((r + 1) % m, c) for r, c in cells], [(r, (c + 1) % n) for r, c in cells]]
    return tuple(tuple([r * n + c for r, c in image]) for image in images)


def generate(generators: Sequence[Permutation]) -> list[Permutation]:
    """Return all products of some permutations, sorted, so that the identity comes first."""
    found = {tuple(range(len(generators[0])))}
    queue = list(found)
    for element in queue:
        for image in [compose(generator, element) for generator in generators]:
            if image not in found:
                found.add(image)
                queue.append(image)
    return sorted(found)


class _LimitReached(Exception):
    """The search for a group takes longer than its limit."""


class _LineGraph:
    """A graph whose vertices are squares and lines, and whose automorphisms are the symmetries.

    Edges have labels: a square is in a line (0) or in its guard (1); a square is above another (2) or below it (3).
    All squares have one colour, and the lines of each side have a colour of their own.
    """

    def __init__(self, sides: Sequence[Sequence[Line]], supports: Sequence[int], limit: int | None) -> None:
        self._sides, self._supports = sides, supports
        self._left = limit
        self.squares = len(supports)
        self.colours = [0] * self.squares + [side + 1 for side, lines in enumerate(sides) for _ in lines]
        self.edges: list[list[tuple[int, int]]] = [[] for _ in self.colours]
        for vertex, line in enumerate(chain(*sides), start=self.squares):
            for label, mask in enumerate(line):
                for square in squares_of(mask):
                    self.edges[square].append((vertex, label))
                    self.edges[vertex].append((square, label))
        for square, below in enumerate(supports):
            if below >= 0:
                self.edges[square].append((below, 2))
                self.edges[below].append((square, 3))

    def refine(self, left: list[int], right: list[int]) -> tuple[list[int], list[int]] | None:
        """Refine two colourings (Weisfeiler and Leman 1968) and return them. A colour has the same name in both.

        Return None if a colour has more vertices in one of them: then no automorphism maps one to the other.
        """
        colours = len(set(left))
        while True:
            names: dict[tuple[int, tuple[int, ...]], int] = {}
            left, right = self._round(left, names), self._round(right, names)
            if sorted(left) != sorted(right):
                return None
            if len(names) == colours:
                return left, right
            colours = len(names)

    def stable(self, colours: list[int]) -> list[int]:
        """Return a colouring after colour refinement."""
        refined = self.refine(colours, colours)
        return refined[0] if refined else colours

    def _round(self, colours: list[int], names: dict[tuple[int, tuple[int, ...]], int]) -> list[int]:
        if self._left is not None:
            self._left -= len(colours)
            if self._left < 0:
                raise _LimitReached
        return [
            names.setdefault((colours[v], tuple(sorted([4 * colours[w] + label for w, label in near]))), len(names))
            for v, near in enumerate(self.edges)
        ]

    def cell(self, colours: list[int]) -> list[int]:
        """Return the squares of the most frequent colour; [] if every square has its own colour.

        Individualizing a square of the largest cell leaves the fewest further steps: on a projective plane, four points
        in general position suffice, but the first four by number may lie on one line.
        """
        cells: dict[int, list[int]] = {}
        for square in range(self.squares):
            cells.setdefault(colours[square], []).append(square)
        largest = max(cells.values(), key=len, default=[])
        return largest if len(largest) > 1 else []

    def transposition(self, first: int, second: int) -> Permutation | None:
        """Return the transposition of two squares, or None if it is not an automorphism."""
        image = list(range(self.squares))
        image[first], image[second] = second, first
        return tuple(image) if preserves(tuple(image), self._sides, self._supports) else None

    def mapping(self, left: list[int], right: list[int]) -> Permutation | None:
        """Return an automorphism that maps the colouring `left` onto `right`; None if there is none."""
        refined = self.refine(left, right)
        if refined is None:
            return None
        left, right = refined
        cell = self.cell(left)
        if not cell:
            place = {colour: square for square, colour in enumerate(right)}
            return tuple([place[colour] for colour in left[: self.squares]])
        colour = left[cell[0]]
        for image in [s for s in range(self.squares) if right[s] == colour]:
            found = self.mapping(_individualize(left, cell[0]), _individualize(right, image))
            if found:
                return found
        return None


def _individualize(colours: list[int], vertex: int) -> list[int]:
    """Return the colouring in which one vertex has received a colour of its own."""
    return [*colours[:vertex], len(colours), *colours[vertex + 1 :]]


def symmetry_group(
    sides: Sequence[Sequence[Line]],
    supports: Sequence[int],
    known: Sequence[Permutation] = (),
    limit: int | None = None,
) -> SymmetryGroup:
    """Return the group of permutations that preserve the lines of each side and the supports.

    known: some permutations in the group; they shorten the search. limit: the most vertices of the graph of lines that
    the search colours; if that is not enough, return the group of the identity alone.

    Squares are fixed one after another, in descending order. The images that a square can take while all higher squares
    are fixed form its orbit. The elements of the group are the products of one permutation from each orbit.
    """
    with suppress(_LimitReached):
        return SymmetryGroup(len(supports), tuple(_chain(_LineGraph(sides, supports, limit), known)))
    return SymmetryGroup(len(supports), ())


def _chain(graph: _LineGraph, known: Sequence[Permutation]) -> Iterator[tuple[Permutation, ...]]:
    """Yield the orbits of SymmetryGroup that have at least two squares."""
    fixed = graph.stable(graph.colours)
    for base in reversed(range(graph.squares)):
        cell = [square for square in range(graph.squares) if fixed[square] == fixed[base]]
        if len(cell) > 1:
            orbit = tuple(_orbit(graph, fixed, base, cell, known))
            if len(orbit) > 1:
                yield orbit
            fixed = graph.stable(_individualize(fixed, base))
        known = [permutation for permutation in known if permutation[base] == base]


def _orbit(
    graph: _LineGraph, fixed: list[int], base: int, cell: list[int], known: Sequence[Permutation]
) -> list[Permutation]:
    """For each square of the cell, return an automorphism that maps it to `base`, if one exists."""
    reached: dict[int, Permutation] = {base: tuple(range(graph.squares))}
    generators = [*known]
    _spread(reached, generators)
    for square in cell:
        if square in reached:
            continue
        # The largest groups have many interchangeable squares.
        found = graph.transposition(base, square) or graph.mapping(
            _individualize(fixed, base), _individualize(fixed, square)
        )
        if found:
            generators.append(found)
            _spread(reached, generators)
    return [invert(permutation) for permutation in reached.values()]


def _spread(reached: dict[int, Permutation], generators: list[Permutation]) -> None:
    """Close `reached` under the generators. It maps each image of a square to a permutation that leads there."""
    queue = list(reached.items())
    for square, via in queue:
        for generator in generators:
            image = generator[square]
            if image not in reached:
                reached[image] = compose(generator, via)
                queue.append((image, reached[image]))
