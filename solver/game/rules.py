"""The rules of a game as data: squares, the sets of squares that win, and how a board is written. No search.

X and O take squares in turn, X first, and who has all squares of one of their lines has won: a positional game (Hales
and Jewett 1963; Beck, "Combinatorial Games: Tic-Tac-Toe Theory", 2008). Where the lines come from, a name such as
`4,5,4` or a file, is the business of `solver.game.games`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from solver.errors import RulesError
from solver.game.lines import Line, mask_of
from solver.game.symmetry import Permutation, SymmetryGroup, preserves, symmetry_group
from solver.support.drawing.diagram import Diagram

MAX_SQUARES = 36  # the largest board a table can be built for
MAX_BOARD = 361  # the largest board that can be played at all (19 x 19)
MAX_SYMMETRIES = 2048  # of tables: a larger group costs more than it saves
MAX_LISTED = 150_000  # symmetries that positions are counted up to: all 120,960 of projective,4

Side = Literal["X", "O"]

OTHER: Final[dict[str, Side]] = {"X": "O", "O": "X"}
"""The opponent of a side."""


class Rectangle(NamedTuple):
    """What is particular to k in a row on a rectangle, for programs that know no other game."""

    m: int
    """Rows."""
    n: int
    """Columns."""
    k: int
    """In a row."""
    torus: bool = False
    exact: bool = False
    full: bool = False


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one game.

    Squares are numbered from 0, bit s of a mask is square s. X moves first. Rules of the same name are equal, and hash
    alike, when nothing that decides a game differs, nor its diagram, so that caches can be keyed by them. What is
    derived is computed once, when first asked for.

    >>> rules = parse_game("4,4,4")
    >>> rules.squares, len(rules.lines), len(rules.symmetries), len(rules.board_symmetries)
    (16, 10, 32, 8)
    """

    name: str
    """It leads back to the rules by `parse_game`, unless they are from a file."""
    diagram: Diagram
    x_lines: tuple[Line, ...]
    """The lines that X can complete, without duplicates, in a fixed order."""
    o_lines: tuple[Line, ...]
    """The lines that O can complete."""
    misere: bool = False
    """Completing a line loses."""
    stride: int = 0
    """With gravity, the number of columns: below square s is square s + stride. 0: a stone goes on any square."""
    plies: int = -1
    """The game ends after so many plies at the latest; -1: when the board is full."""
    unfinished: Side | None = None
    """The winner of a game in which nobody completes a line; None: it is a draw."""
    always_won: bool = False
    """On every full board somebody has completed a line."""
    flips: tuple[Permutation, ...] | None = None
    """The symmetries that a person sees; None: all."""
    rectangle: Rectangle | None = None
    """Set for k in a row on a whole rectangle, where the players differ in nothing."""
    x_is_white: bool = False
    """The file that the game is from calls X white, and O black; it is only said and written back."""
    variants: tuple[str, ...] = ()
    """The variants, as they stand at the end of the game's name."""
    words: str = ""
    """The description that the file of the game gives; empty for a game that has a name."""

    def __post_init__(self) -> None:
        if self.plies == -1:
            object.__setattr__(self, "plies", self.squares)

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        """All that decides a game, whatever the order of lines, and what its squares are called."""
        x_lines, o_lines = sorted(self.x_lines), sorted(self.o_lines)
        return self.diagram.names, x_lines, o_lines, self.misere, self.stride, self.plies, self.unfinished

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Rules) and self.is_same_game(other) and self.diagram == other.diagram
        )

    def is_same_game(self, other: Rules) -> bool:
        """True where nothing but the drawing of the board may differ."""
        return self.name == other.name and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    @property
    def sizes(self) -> tuple[str, ...]:
        """The words of the name before the variants: `4`, `5` and `4` of `4,5,4,gravity`."""
        words = self.name.split(",")
        return tuple(words[: len(words) - len(self.variants)])

    @property
    def file_name(self) -> str:
        """The name of the table's file, such as `mnk-4-5-4-gravity.sqlite`."""
        return f"mnk-{self.name.replace(',', '-')}.sqlite"

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that decides a game, and of the names of its squares, in 12 hexadecimal digits."""
        import json  # slow to load, and only a game from a file needs it

        text = json.dumps(self._identity)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    # What wins

    @cached_property
    def squares(self) -> int:
        """The number of squares."""
        return len(self.diagram.names)

    @property
    def has_lines(self) -> bool:
        """False when nobody can complete a line."""
        return bool(self.x_lines or self.o_lines)

    @property
    def can_draw(self) -> bool:
        """False where every game is known to have a winner."""
        return self.unfinished is None and not (self.always_won and self.plies == self.squares)

    @cached_property
    def is_even(self) -> bool:
        """True when both sides have the same lines."""
        return self.x_lines == self.o_lines

    @cached_property
    def sides(self) -> tuple[tuple[Line, ...], ...]:
        """X's lines and O's; once where they are the same."""
        return (self.x_lines,) if self.is_even else (self.x_lines, self.o_lines)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines of either side, without duplicates."""
        return self.x_lines if self.is_even else tuple(dict.fromkeys(self.x_lines + self.o_lines))

    @property
    def shortest_line(self) -> int:
        """The number of squares of the shortest line; 0 if there is none."""
        return min((line.mask.bit_count() for line in self.lines), default=0)

    @cached_property
    def exact(self) -> bool:
        """True when some line does not count beside certain stones, such as in a longer row."""
        return any(line.guard for line in self.lines)

    @cached_property
    def x_lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """For each square the lines that a stone of X there can complete."""
        return self._through(self.x_lines)

    @cached_property
    def o_lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """For each square the lines that a stone of O there can complete."""
        return self.x_lines_through if self.is_even else self._through(self.o_lines)

    def _through(self, lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], ...]:
        return tuple(tuple(line for line in lines if line.mask >> s & 1) for s in range(self.squares))

    # Where a stone can go

    @property
    def gravity(self) -> bool:
        """True when a stone drops to the lowest empty square of its column."""
        return self.stride > 0

    @cached_property
    def supports(self) -> tuple[int, ...]:
        """For each square the square directly below it that must be taken first, or -1 if there is none."""
        if not self.stride:
            return (-1,) * self.squares
        return tuple(s + self.stride if s + self.stride < self.squares else -1 for s in range(self.squares))

    @cached_property
    def has_supports(self) -> bool:
        """True when some square must wait for the square below it; a single row with gravity has none."""
        return any(below >= 0 for below in self.supports)

    @cached_property
    def ground(self) -> int:
        """The bitmask of the squares that need no stone below them: all squares without gravity."""
        return mask_of(square for square, below in enumerate(self.supports) if below < 0)

    # Symmetry

    @cached_property
    def group(self) -> SymmetryGroup:
        """The group of square permutations that preserve both sides' lines and the supports."""
        return symmetry_group(self.sides, self.supports)

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """The symmetries under which tables have one page for many, identity first, sorted.

        They contain more than the symmetries of a board when the lines have hidden ones. Where there are no lines,
        or the group has more than MAX_SYMMETRIES elements, they are those that a person sees, if any are named, else a
        subgroup. A larger subgroup may exist then, but the pages of tables are made under this one, and their
        digests are to stay. Of a board that is too large for a table, and that names none, it is the identity alone:
        the search for more could take hours.
        """
        if self.flips is None and self.squares > MAX_SQUARES:
            return (tuple(range(self.squares)),)
        if self.flips is not None and (not self.has_lines or self.group.order > MAX_SYMMETRIES):
            return self.board_symmetries
        return self.group.elements(MAX_SYMMETRIES)

    @cached_property
    def board_symmetries(self) -> tuple[Permutation, ...]:
        """The rotations, reflections and shifts (on a torus) of the board that preserve the rules, identity first.

        "Canonical" means up to these wherever a person reads it. Of a board that is no rectangle they are all
        permutations that preserve the rules, where these are up to MAX_LISTED, so that a set of lines has one number of
        canonical positions however it is written; otherwise a subgroup, the `symmetries`.
        """
        if self.flips is None:
            return self.group.elements(MAX_LISTED) if self._lists_whole_group else self.symmetries
        return tuple(p for p in self.flips if preserves(p, self.sides, self.supports))

    @property
    def board_factors(self) -> tuple[tuple[Permutation, ...], ...]:
        """Sets of permutations: each of `board_symmetries` is the product of one of every set."""
        return self.group.orbits if self.flips is None and self._lists_whole_group else (self.board_symmetries,)

    @property
    def _lists_whole_group(self) -> bool:
        return self.squares <= MAX_SQUARES and self.group.order <= MAX_LISTED


def require_rectangle(rules: Rules, what: str) -> Rectangle:
    """Return the rectangle of a game of k in a row; raises RulesError, naming `what` needs one, for any other."""
    if rules.rectangle is None:
        raise RulesError(f"{what} knows k in a row on a rectangle, such as 3,3,3, but not {rules}; choose such a game.")
    return rules.rectangle


def require_buildable(rules: Rules) -> None:
    """Raise RulesError when the board is too large for a table."""
    if rules.squares > MAX_SQUARES:
        raise RulesError(
            f"A table of {rules} would have {rules.squares} squares; "
            f"tables can be built for boards of up to {MAX_SQUARES} squares."
        )
