"""Harary's games: the first side to take squares that form a given polyomino (an *animal*) in any orientation wins.

(Frank Harary 1977; Gardner, Scientific American, April 1979.)
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from solver.drawing.diagram import grid
from solver.errors import RulesError, quoted
from solver.game.makers.maker import Maker, read_number, require_playable, rules_of_sets
from solver.game.rules import MAX_BOARD, Rules
from solver.game.symmetry import board_generators

ANIMALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "elam": "o",
        "domino": "oo",
        "el": "oo o.",
        "tic": "ooo",
        "elly": "ooo o..",
        "fatty": "oo oo",
        "knobby": "ooo .o.",
        "skinny": "oooo",
        "tippy": "oo. .oo",
        "f": ".oo oo. .o.",
        "i": "ooooo",
        "l": "oooo o...",
        "n": "ooo. ..oo",
        "p": "oo oo o.",
        "t": "ooo .o. .o.",
        "u": "o.o ooo",
        "v": "o.. o.. ooo",
        "w": "o.. oo. .oo",
        "x": ".o. ooo .o.",
        "y": "oooo .o..",
        "z": "oo. .o. .oo",
        "snaky": "oooo. ...oo",
    }
)
"""The rows of each animal: up to four squares under Harary's names, five squares under their letters, and Snaky."""

Shape = frozenset[tuple[int, int]]


def _make(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    name = sizes[1]
    if name not in ANIMALS:
        raise RulesError(f"There is no animal {quoted(name)}; choose one of {', '.join(ANIMALS)}.")
    m, n = (read_number(size, "a number of rows or columns", 1, MAX_BOARD) for size in sizes[2:])
    require_playable(m, n)
    return rules_of_sets(
        f"animal,{name},{m},{n}",
        grid(m, n),
        ([row * n + column for row, column in place] for place in _places(ANIMALS[name], m, n)),
        flips=board_generators(m, n, torus=False),
        words=f"the animal {name.title()} on {m} by {n}, in any orientation",
    )


def _places(text: str, m: int, n: int) -> Iterator[Shape]:
    """For each way to place an animal on a board of `m` rows and `n` columns, yield the cells that it covers."""
    for shape in _orientations(text):
        height, width = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
        for down in range(m - height + 1):
            for right in range(n - width + 1):
                yield frozenset((down + row, right + column) for row, column in shape)


def _orientations(text: str) -> list[Shape]:
    """Return the rotations and reflections of an animal, moved to the top left corner, sorted."""
    shape = frozenset((r, c) for r, row in enumerate(text.split()) for c, mark in enumerate(row) if mark == "o")
    found = set[Shape]()
    for _ in range(4):
        most = max(row for row, _ in shape)
        shape = frozenset((column, most - row) for row, column in shape)  # a quarter turn
        wide = max(column for _, column in shape)
        found |= {shape, frozenset((row, wide - column) for row, column in shape)}
    return sorted(found, key=sorted)


MAKER = Maker(
    form="animal,NAME,ROWS,COLUMNS",
    about="a polyomino in any orientation wins (Harary's animals: el, tic, elly, fatty, knobby, skinny, tippy, ...)",
    examples=("animal,el,3,3", "animal,tippy,3,3", "animal,elly,4,4", "animal,skinny,4,4"),
    make=_make,
)
