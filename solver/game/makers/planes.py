"""Games on the points of an affine or projective plane of order q. The lines of the plane win.

(Carroll and Dougherty, "Tic-Tac-Toe on a Finite Plane", Mathematics Magazine 77, 2004.)
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from math import cos, pi, sin, sqrt
from typing import Final

from solver.drawing.diagram import Diagram, Point, grid
from solver.errors import RulesError
from solver.game.makers.maker import Maker, read_number, rules_of_sets
from solver.game.rules import Rules

_REDUCTIONS: Final = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (1, 0)), 16: (2, (1, 1, 0, 0))}
"""For each order p**n with n > 1: the prime p, and the coefficients c0, c1, ... of an irreducible polynomial
x**n + ... + c1 x + c0."""

_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19)


class _Field:
    """The finite field with elements 0 .. q-1. An element's digits in base p are the coefficients of a polynomial."""

    def __init__(self, q: int) -> None:
        self.p, self._rest = _REDUCTIONS.get(q, (q, (0,)))
        self.elements = range(q)
        self._degree = len(self._rest)

    def _digits(self, a: int) -> list[int]:
        return [a // self.p**i % self.p for i in range(self._degree)]

    def _number(self, digits: Sequence[int]) -> int:
        return sum(digit % self.p * self.p**i for i, digit in enumerate(digits))

    def add(self, a: int, b: int) -> int:
        return self._number([x + y for x, y in zip(self._digits(a), self._digits(b), strict=True)])

    def multiply(self, a: int, b: int) -> int:
        """Return the product of two elements: the product of their polynomials modulo the irreducible polynomial."""
        if self._degree == 1:
            return a * b % self.p
        digits = [0] * (2 * self._degree - 1)
        for (i, x), (j, y) in product(enumerate(self._digits(a)), enumerate(self._digits(b))):
            digits[i + j] += x * y
        for top in range(len(digits) - 1, self._degree - 1, -1):
            for i, coefficient in enumerate(self._rest):
                digits[top - self._degree + i] -= digits[top] * coefficient
        return self._number(digits[: self._degree])


def _affine(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    q = _read_order(sizes[1], _AFFINE_MOST)
    field = _Field(q)
    number = {point: i for i, point in enumerate(product(field.elements, repeat=2))}
    lines = [[number[x, y] for y in field.elements] for x in field.elements]
    for slope, start in product(field.elements, repeat=2):
        lines.append([number[x, field.add(field.multiply(slope, x), start)] for x in field.elements])
    places = tuple((float(place % q), float(place // q)) for place in range(q * q))
    diagram = replace(grid(q, q), shape="points", points=places)
    words = f"the {q * q} points and {len(lines)} lines of the affine plane of order {q}"
    return rules_of_sets(f"affine,{q}", diagram, lines, words=words)


def _projective(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    q = _read_order(sizes[1], _PROJECTIVE_MOST)
    field = _Field(q)
    points = [(1, x, y) for x, y in product(field.elements, repeat=2)]
    points += [(0, 1, y) for y in field.elements] + [(0, 0, 1)]
    lines = [
        [i for i, point in enumerate(points) if reduce(field.add, map(field.multiply, line, point)) == 0]
        for line in points
    ]
    count = len(points)
    names = tuple(f"p{i + 1}" for i in range(count))
    diagram = Diagram(1, count, tuple(range(count)), names, "points", _fano() if q == _FANO else _around(count))
    words = f"the {count} points and {count} lines of the projective plane of order {q}"
    return rules_of_sets(f"projective,{q}", diagram, lines, words=words)


def _around(count: int) -> tuple[Point, ...]:
    angles = [(2 * pi * i / count - pi / 2) for i in range(count)]
    radius = max(1.2, count / 6)
    return tuple((radius * (1 + cos(angle)), radius * (1 + sin(angle))) for angle in angles)


def _fano() -> tuple[Point, ...]:
    """Return the usual drawing of the Fano plane: a triangle, the midpoints of its sides, and its centre."""
    height = 2 * sqrt(3)
    corners = (2.0, 0.0), (0.0, height), (4.0, height)
    middles = (3.0, height / 2), (2.0, height), (1.0, height / 2)
    return (*corners, (2.0, 2 * height / 3), *middles)


_AFFINE_MOST, _PROJECTIVE_MOST = 19, 17
_FANO: Final = 2  # the order of the Fano plane


def _read_order(text: str, most: int) -> int:
    q = read_number(text, "the order of a plane", 2, most)
    if q not in _REDUCTIONS and q not in _PRIMES:
        orders = sorted(order for order in (*_PRIMES, *_REDUCTIONS) if order <= most)
        raise RulesError(f"There is no field with {q} elements; choose an order from {', '.join(map(str, orders))}.")
    return q


MAKERS = (
    Maker(
        form="affine,ORDER",
        about="the points of an affine plane, whose lines win",
        examples=("affine,3", "affine,4", "affine,5"),
        make=_affine,
    ),
    Maker(
        form="projective,ORDER",
        about="the points of a projective plane, whose lines win",
        examples=("projective,2", "projective,3", "projective,4"),
        make=_projective,
    ),
)
