"""The reports of checks: the problems found, as sentences about pages, positions, values and statistics."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from solver.check.plain_rules import Stones
from solver.errors import RulesError
from solver.game.game_files import read_rules
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.reader import TableReader
from solver.store.schema import RULES_KEY, Metric

MOST_PROBLEMS = 10


class _Problems:
    """The problems of a report: at most MOST_PROBLEMS sentences; none if all is right."""

    problems: tuple[str, ...]

    def add(self, problem: str) -> None:
        """Add a problem (a sentence), unless the report already has MOST_PROBLEMS."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems += (problem,)


@dataclass
class CheckReport(_Problems):
    """The result of checking one table."""

    game: str
    metric: Metric
    digest: str | None = None  # the computed digest; None if not all values were read
    positions: int = 0  # the number of positions whose value was compared
    successors: int = 0  # the number of successors that they were compared with
    searched: dict[int, Counter[str]] = field(default_factory=dict)
    """By ply, how many of the searched positions `agree`, are `wrong`, or are `unsettled` (the search gave up)."""
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    @property
    def counts(self) -> Counter[str]:
        """The number of searched positions with each result, over all plies: the sum of the counters in `searched`."""
        return sum(self.searched.values(), Counter())

    def compare_digest(self, digest: str, stored: str | None) -> None:
        """Record the computed digest, and add a problem if the table contains a different one."""
        self.digest = digest
        if digest != stored:
            self.add(f"The digest of the values is {digest}, but the table says {stored}.")


@dataclass
class StrategyReport(_Problems):
    """The result of checking a strategy."""

    positions: int = 0  #: The number of positions visited with the side of the strategy to move.
    replies: int = 0  #: The number of replies tried.
    forced: int = 0  #: The replies that lose to continuous fours.
    pairings: int = 0  #: The number of pairings found.
    games: int = 0  #: The number of games won, in a sample.
    unused: int = 0  #: The number of rows that no play reaches.
    within: int = 0  #: The plies of the longest win.
    unanswered: tuple[int, ...] = ()  #: The hashes of positions without a move, if nothing else is wrong.
    row_plies: tuple[int, ...] = ()  #: Those from each row, in the order of the file; 0 if no play reaches it.
    claim: str = ""  #: What the strategy claims, in words.
    digest: str = ""  #: The digest of the rows.
    problems: tuple[str, ...] = ()  #: At most ten sentences; none if the strategy is right.


def board_text(rules: Rules, stones: Stones) -> str:
    """Return a position's board as a string, such as XO./.X./..."""
    x, o = stones
    cells = "".join(["X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares)])
    return rules.diagram.write(cells)


def describe(value: Value) -> str:
    """Return a value in words, including the distance of a draw."""
    known = value.wdl == 0 and value.distance is not None
    return f"{value} in {value.distance}" if known else str(value)


def disagreement(board: str, wanted: Value | None, table_says: str) -> str:
    """Return a sentence that says that a position's value does not follow from the values one move later."""
    if wanted is None:
        return f"The table {table_says} for the position {board}, which does not follow from the rules."
    return f"The position {board} is a {describe(wanted)} by the values one move later, but the table {table_says}."


@dataclass(frozen=True)
class PlyRow:
    """The expected row of the table `plies` for one ply. The last four fields are None if values were not read."""

    ply: int
    positions: int
    canonical: int
    terminal: int
    won: int | None = None
    drawn: int | None = None
    lost: int | None = None
    longest: int | None = None


def check_statistics(reader: TableReader, rows: Sequence[PlyRow], root: Value | None, report: CheckReport) -> None:
    """Report where the tables `plies` and `meta` differ from `rows` and from `root`, the value of the empty board."""
    for row, stored in zip(rows, reader.plies(), strict=True):
        for column, expected in asdict(row).items():
            found, is_value = stored[column], column in ("won", "drawn", "lost", "longest")
            if found != expected and not (is_value and row.won is None):
                report.add(f"At ply {row.ply} the table plies says {column} = {found}, but it is {expected}.")
    facts = {
        "positions": sum(row.positions for row in rows),
        "canonical": sum(row.canonical for row in rows),
        "symmetries": reader.rules.symmetries.order,
    }
    if root is not None:
        facts["root_wdl"] = root.wdl
        if root.distance is not None:
            facts["root_distance"] = root.distance
    try:
        is_same_game = read_rules(reader.meta.get(RULES_KEY) or "{}").is_same_game(reader.rules)
    except RulesError:
        is_same_game = False
    if not is_same_game:
        report.add(f"The meta of the table has no {RULES_KEY}, the squares and lines of its game, or those of another.")
    for key, fact in facts.items():
        if reader.meta[key] != str(fact):
            report.add(f"The meta of the table says {key} = {reader.meta[key]}, but it is {fact}.")
