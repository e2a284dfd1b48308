"""The rules of a game as data: its squares, the lines that win, and a diagram of the board.

X and O take squares in turn, X first, and the first side to take all squares of one of its lines wins. This is called a
positional game (Hales and Jewett 1963; Beck, "Combinatorial Games: Tic-Tac-Toe Theory", 2008). `solver.game.games`
makes rules from names, and `solver.game.game_files` reads them from files.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Final, Literal, NamedTuple, TypeVar

from solver.drawing.diagram import Diagram
from solver.errors import RulesError
from solver.game.lines import Line, LineIndex, index_lines, mask_of
from solver.game.symmetry import Permutation, SymmetryGroup, generate, listed_group, preserves, symmetry_group

MAX_SQUARES = 36  # squares of the largest board with a table
MAX_BOARD = 361  # squares of the largest board that can be played (19 x 19)
MAX_SYMMETRIES = 500_000  # the most that are used, because counting lists them all; projective,5 has 372,000
_SEARCH_LIMIT = 400_000  # vertices that a search for symmetries colours in about two seconds

T = TypeVar("T")
Side = Literal["X", "O"]

OTHER: Final[dict[str, Side]] = {"X": "O", "O": "X"}  # the opponent of a side


class Rectangle(NamedTuple):
    """The parameters of k in a row on a rectangle, for code that supports no other games."""

    m: int  #: The number of rows.
    n: int  #: The number of columns.
    k: int  #: The number of squares in a row that win.
    torus: bool = False  #: True if lines cross the edges.
    exact: bool = False  #: True if only lines of exactly k squares win.
    full: bool = False  #: True if only whole rows, columns and diagonals are lines.


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one game.

    Squares are numbered from 0, and bit s of a mask is square s. Rules are equal if their names, their diagrams and
    everything that decides a game are equal, so caches can use rules as keys. Derived data is computed once, on first
    use.

    >>> rules = parse_game("4,4,4")
    >>> rules.squares, len(rules.lines), rules.symmetries.order, rules.board_symmetries.order
    (16, 10, 32, 8)
    """

    name: str
    """`parse_game` makes the rules from this name, unless they come from a file."""
    diagram: Diagram
    """The layout of the board: the places and names of its squares."""
    x_lines: tuple[Line, ...]
    """The lines that X can complete, without duplicates."""
    o_lines: tuple[Line, ...]
    """The lines that O can complete."""
    misere: bool = False
    """True if completing a line loses."""
    stride: int = 0
    """With gravity, the number of columns: square s + stride is below square s. Without gravity 0."""
    plies: int = -1
    """The most plies of a game; -1 means as many as the board has squares."""
    unfinished: Side | None = None
    """The winner of a game in which nobody completes a line; None for a draw."""
    always_won: bool = False
    """True if every full board has a completed line."""
    flips: tuple[Permutation, ...] | None = None
    """Permutations that generate the symmetries of the board as people see them; None means that `group` is used."""
    known_symmetries: tuple[Permutation, ...] = ()
    """Some permutations that preserve the rules; they speed up the search for the whole group."""
    rectangle: Rectangle | None = None
    """Set for k in a row on a whole rectangle with the same rules for both players."""
    x_is_white: bool = False
    """True if the file of the game calls X white and O black."""
    variants: tuple[str, ...] = ()
    """The variants, as written at the end of the game's name."""
    words: str = ""
    """A description of the board and the lines, without variants; may be empty."""

    def __post_init__(self) -> None:
        if self.plies == -1:
            object.__setattr__(self, "plies", self.squares)

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        """Everything that decides a game, and the names of its squares; the order of lines does not matter."""
        x_lines, o_lines = sorted(self.x_lines), sorted(self.o_lines)
        return self.diagram.names, x_lines, o_lines, self.misere, self.stride, self.plies, self.unfinished

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Rules) and self.is_same_game(other) and self.diagram == other.diagram
        )

    def is_same_game(self, other: "Rules") -> bool:
        """Return True if both are rules of the same game, even if the board is drawn differently."""
        return self.name == other.name and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    @property
    def file_name(self) -> str:
        """The name of the table's file, such as `mnk-4-5-4-gravity.sqlite`."""
        return f"mnk-{self.name.replace(',', '-')}.sqlite"

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that decides a game, and of the names of its squares: 12 hexadecimal digits."""
        import json  # slow to load, and only a game from a file needs it

        text = json.dumps(self._identity)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    # Lines

    @cached_property
    def squares(self) -> int:
        """The number of squares."""
        return len(self.diagram.names)

    @property
    def has_lines(self) -> bool:
        """True if a side can complete a line."""
        return bool(self.x_lines or self.o_lines)

    @property
    def can_draw(self) -> bool:
        """False if the game is known never to end in a draw."""
        return self.unfinished is None and not (self.always_won and self.plies == self.squares)

    @property
    def has_threats(self) -> bool:
        """True if a side can threaten to win: lines win, and a stone can be placed on any empty square."""
        return self.has_lines and not self.gravity and not self.misere

    @cached_property
    def is_even(self) -> bool:
        """True if both sides have the same lines."""
        return self.x_lines == self.o_lines

    @cached_property
    def sides(self) -> tuple[tuple[Line, ...], ...]:
        """The lines of X and of O; a single entry if both sides have the same lines."""
        return (self.x_lines,) if self.is_even else (self.x_lines, self.o_lines)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines of both sides together, without duplicates."""
        return self.x_lines if self.is_even else tuple(dict.fromkeys(self.x_lines + self.o_lines))

    @property
    def shortest_line(self) -> int:
        """The number of squares of the shortest line; 0 if there are no lines."""
        return min((line.mask.bit_count() for line in self.lines), default=0)

    @cached_property
    def exact(self) -> bool:
        """True if some line has a guard, so that other stones of its owner can keep it from counting."""
        return any(line.guard for line in self.lines)

    @cached_property
    def x_lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """For each square, X's lines through it."""
        return self._through(self.x_lines)

    @cached_property
    def o_lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """For each square, O's lines through it."""
        return self.x_lines_through if self.is_even else self._through(self.o_lines)

    @cached_property
    def x_index(self) -> LineIndex:
        """X's lines by their lowest square."""
        return index_lines(self.x_lines)

    @cached_property
    def o_index(self) -> LineIndex:
        """O's lines by their lowest square."""
        return self.x_index if self.is_even else index_lines(self.o_lines)

    def _through(self, lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], ...]:
        return tuple(tuple(line for line in lines if line.mask >> s & 1) for s in range(self.squares))

    # Gravity

    @property
    def gravity(self) -> bool:
        """True if a stone drops to the lowest empty square of its column."""
        return self.stride > 0

    @cached_property
    def supports(self) -> tuple[int, ...]:
        """For each square, the square directly below it that must be taken first, or -1."""
        if not self.stride:
            return (-1,) * self.squares
        return tuple(s + self.stride if s + self.stride < self.squares else -1 for s in range(self.squares))

    @cached_property
    def has_supports(self) -> bool:
        """True if some square has a support: with gravity, on a board of more than one row."""
        return any(below >= 0 for below in self.supports)

    @cached_property
    def ground(self) -> int:
        """The bitmask of the squares without a support; without gravity, all squares."""
        return mask_of(square for square, below in enumerate(self.supports) if below < 0)

    # Symmetry

    @cached_property
    def group(self) -> SymmetryGroup:
        """The group of permutations of the squares that preserve each side's lines and the supports.

        On a board that is too large for a table, it is the identity alone if the search would take seconds.
        """
        limit = None if self.squares <= MAX_SQUARES else _SEARCH_LIMIT
        return symmetry_group(self.sides, self.supports, self.known_symmetries, limit)

    @cached_property
    def symmetries(self) -> SymmetryGroup:
        """The symmetries under which a table stores one page per orbit: usually the whole group.

        They can outnumber the symmetries of the board, because lines may have hidden symmetries. Qubic, `4x4x4,4`, has
        192, and its cube has 48. If the whole group has more than 500,000 elements, a rectangle (`flips` is not None)
        uses its `board_symmetries`, and any other board a subgroup. A rectangle without lines, or one that is too large
        for a table, also uses its `board_symmetries`.
        """
        if self.flips is not None and (
            self.squares > MAX_SQUARES or not self.has_lines or self.group.order > MAX_SYMMETRIES
        ):
            return self.board_symmetries
        return self.group.limited(MAX_SYMMETRIES)

    @cached_property
    def board_symmetries(self) -> SymmetryGroup:
        """The rotations, reflections and shifts (on a torus) of the board that preserve the rules.

        Canonical forms and counts use these symmetries. If the board is not a rectangle, they are those of
        `symmetries`, so that the number of canonical positions does not depend on how the game is written.
        """
        if self.flips is None:
            return self.symmetries
        found = generate(self.flips)
        if not all(preserves(p, self.sides, self.supports) for p in self.flips):
            found = [p for p in found if preserves(p, self.sides, self.supports)]
        return listed_group(found)


def derived(compute: Callable[[Rules], T]) -> Callable[[Rules], T]:
    """Make a function compute its result once for each game; the result is kept as long as the rules."""
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def find(rules: Rules) -> T:
        kept = vars(rules)
        if key not in kept:
            kept[key] = compute(rules)
        found: T = kept[key]
        return found

    return find


def weigh_rules(rules: Rules) -> int:
    """Return about how many bytes of memory the rules of a game and the data derived from them take."""
    return 300 * (len(rules.x_lines) + len(rules.o_lines)) + 3000 * rules.squares


def require_rectangle(rules: Rules, what: str) -> Rectangle:
    """Return the `Rectangle` of a game. Raises RulesError if it has none; `what` names the feature in the message."""
    if rules.rectangle is None:
        raise RulesError(
            f"{what} supports k in a row on a rectangle, such as 3,3,3, but not {rules}; choose such a game."
        )
    return rules.rectangle


def require_buildable(rules: Rules) -> None:
    """Raise RulesError if the board is too large for a table."""
    if rules.squares > MAX_SQUARES:
        raise RulesError(
            f"The board of {rules} has {rules.squares} squares; "
            f"whole tables can be built for boards of at most {MAX_SQUARES} squares."
        )
