"""The rules of a game as data: from size, line length and variants to lines, supports and symmetries. No search.

A game is named `m,n,k`: m rows, n columns, k in a row, in this order everywhere (some libraries put the
columns first). Variants follow in alphabetical order: `4,5,4,gravity,misere`.
"""

import copyreg
from dataclasses import dataclass
from functools import cached_property, lru_cache

from solver.errors import RulesError, quoted
from solver.game.lines import Line, full_lines, mask_of, row_lines
from solver.game.symmetry import Permutation, board_permutations, preserves, symmetry_group
from solver.support.english import plural

MAX_SQUARES = 36  # the largest board a table can be built for
MAX_BOARD = 361  # the largest board that can be played at all (19 x 19)
MAX_SYMMETRIES = 2048  # a larger group costs more than it saves

# Each variant in words, in the order of its name in the alphabet.
VARIANTS = {
    "exact": "a longer row does not count",
    "full": "a whole row, a whole column, or a diagonal of the shorter side's length wins",
    "gravity": "a stone drops to the lowest empty square of its column",
    "misere": "completing a line loses",
    "torus": "lines wrap around the edges",
}
_ADVICE = f"write rows,columns,in-a-row such as 3,3,3 or 4,5,4,gravity (variants: {', '.join(VARIANTS)})"


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one game: m rows, n columns, k in a row, and variants.

    Squares are numbered 0 .. m*n-1 row by row from the top left. X moves first.
    Rules of the same name with the same lines and supports are equal and hash alike, so that caches can be keyed by
    them. Everything derived is computed once, when first asked for.
    Raises RulesError for a board that is empty or over MAX_BOARD squares and for variants that contradict
    each other.

    >>> rules = Rules.parse("4,4,4")
    >>> rules.squares, len(rules.lines), len(rules.symmetries), len(rules.board_symmetries)
    (16, 10, 32, 8)
    """

    m: int  # rows
    n: int  # columns
    k: int  # in a row
    misere: bool = False  # the variants, see VARIANTS
    exact: bool = False
    torus: bool = False
    full: bool = False
    gravity: bool = False

    def __post_init__(self) -> None:
        if min(self.m, self.n, self.k) < 1:
            raise RulesError(f"A game needs at least 1 row, 1 column and 1 in a row, not {self.m},{self.n},{self.k}.")
        if self.m * self.n > MAX_BOARD:
            raise RulesError(
                f"A board of {self.m} rows and {self.n} columns has {self.m * self.n} squares; "
                f"the largest that can be played has {MAX_BOARD}."
            )
        if self.full:
            self._check_full()

    def _check_full(self) -> None:
        if self.k != min(self.m, self.n):
            raise RulesError(
                f"With 'full' k is the shorter side of the board, "
                f"so write {self.m},{self.n},{min(self.m, self.n)},full instead of k = {self.k}."
            )
        if self.torus or self.exact:
            other = "torus" if self.torus else "exact"
            reason = "a whole row can't wrap" if self.torus else "a whole row can't be too long"
            raise RulesError(f"'full' and '{other}' can't be combined: {reason}; leave one of them out.")

    @staticmethod
    def parse(name: str) -> "Rules":
        """Read a game's name: `4,5,4`, `4,4,4,gravity,misere`, `4-4-4-gravity`; case and spaces are free.

        Raises RulesError. The same name gives the same object, so that derived data is shared.
        """
        return _parse(str(name))

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants that apply, in alphabetical order."""
        return tuple(variant for variant in VARIANTS if getattr(self, variant))

    @cached_property
    def name(self) -> str:
        """The game's name, such as `4,5,4,gravity`."""
        return ",".join([str(self.m), str(self.n), str(self.k), *self.variants])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Rules):
            return NotImplemented
        return self.name == other.name and self.lines == other.lines and self.supports == other.supports

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its name alone, so that what is derived is shared again; other lines go along."""
        if Rules.parse(self.name) == self:
            return Rules.parse, (self.name,)
        return copyreg.__newobj__, (type(self),), dict(self.__dict__)  # type: ignore[attr-defined] # typeshed lacks it

    def __str__(self) -> str:
        return self.name

    @property
    def file_name(self) -> str:
        """The name of the table's file, such as `mnk-4-5-4-gravity.sqlite`."""
        return f"mnk-{self.name.replace(',', '-')}.sqlite"

    def describe(self) -> str:
        """Describe the rules in words: `4 rows, 5 columns, 4 in a row; completing a line loses`."""
        size = f"{plural(self.m, 'row')}, {plural(self.n, 'column')}"
        goal = [] if self.full else [f"{self.k} in a row"]
        clauses = [", ".join([size, *goal]), *(VARIANTS[variant] for variant in self.variants)]
        if not self.has_lines:
            clauses.append("no line fits on the board, so every game is a draw")
        return "; ".join(clauses)

    @cached_property
    def squares(self) -> int:
        """The number of squares, m * n."""
        return self.m * self.n

    @property
    def has_lines(self) -> bool:
        """False when k fits no line of the board; then every game is a draw."""
        return bool(self.lines)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The winning lines, without duplicates, in a fixed order."""
        if self.full:
            return full_lines(self.m, self.n)
        return row_lines(self.m, self.n, self.k, torus=self.torus, exact=self.exact)

    @cached_property
    def lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """For each square the lines that a stone placed there can complete."""
        return tuple(tuple(line for line in self.lines if line.mask >> s & 1) for s in range(self.squares))

    @cached_property
    def supports(self) -> tuple[int, ...]:
        """For each square the square directly below it that must be taken first, or -1 if there is none."""
        if not self.gravity:
            return (-1,) * self.squares
        return tuple(s + self.n if s + self.n < self.squares else -1 for s in range(self.squares))

    @cached_property
    def has_supports(self) -> bool:
        """True when some square must wait for the square below it; a single row with gravity has none."""
        return any(below >= 0 for below in self.supports)

    @cached_property
    def ground(self) -> int:
        """The bitmask of the squares that need no stone below them: all squares without gravity."""
        return mask_of(square for square, below in enumerate(self.supports) if below < 0)

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """The group of square permutations that preserve lines and supports, identity first, sorted.

        It contains more than the symmetries of the board when the lines have hidden ones. Where there are no lines,
        or the group has more than MAX_SYMMETRIES elements, it is `board_symmetries`, which is a subgroup and so as
        right. It may be smaller than the one that `symmetry_group` lists then, but the pages of tables are made
        under it, and their digests are to stay.
        """
        if not self.lines:
            return self.board_symmetries
        group = symmetry_group(self.lines, self.supports, MAX_SYMMETRIES)
        return group.elements if group.is_whole else self.board_symmetries

    @cached_property
    def board_symmetries(self) -> tuple[Permutation, ...]:
        """The rotations and reflections (on a torus also shifts) that preserve the rules, identity first.

        "Canonical" means up to these wherever a person reads it.
        """
        candidates = board_permutations(self.m, self.n, self.torus)
        return tuple(p for p in candidates if preserves(p, self.lines, self.supports))


def require_buildable(rules: Rules) -> None:
    """Raise RulesError when the board is too large for a table."""
    if rules.squares > MAX_SQUARES:
        raise RulesError(
            f"A table of {rules} would have {rules.squares} squares; "
            f"tables can be built for boards of up to {MAX_SQUARES} squares."
        )


@lru_cache(maxsize=256)
def _parse(name: str) -> Rules:
    parts = name.strip().lower().replace("è", "e").replace("-", ",").split(",")
    parts = [part.strip() for part in parts]
    sizes, variants = parts[:3], parts[3:]
    if len(sizes) < 3 or not all(size.isascii() and size.isdecimal() and len(size) < 10 for size in sizes):
        raise RulesError(f"The game {quoted(name)} can't be read; {_ADVICE}.")
    for variant in variants:
        if variant not in VARIANTS:
            raise RulesError(f"The game {quoted(name)} has an unknown variant {quoted(variant)}; {_ADVICE}.")
        if variants.count(variant) > 1:
            raise RulesError(f"The game {quoted(name)} names the variant {quoted(variant)} twice; once is enough.")
    m, n, k = (int(size) for size in sizes)
    return _shared(m, n, k, frozenset(variants))


@lru_cache(maxsize=256)
def _shared(m: int, n: int, k: int, variants: frozenset[str]) -> Rules:
    """Make the one object that stands for these rules, so that every spelling shares its derived data."""
    return Rules(m, n, k, **dict.fromkeys(variants, True))
