"""The values of a game's positions and moves, from all sources in order: tables first, then searches.

    with open_truth(parse_game("6,7,4,gravity")) as truth:
        truth.evaluate(Position.parse(truth.rules, "d d d"))

A move proved to win settles a position, whatever the other moves are; a position is lost or drawn only if every move is
settled. A value that no source finds in time is None, never a guess.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from math import inf
from numbers import Real
from os.path import isfile
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeVar, cast

from solver.errors import MissingTable, PositionError, Unsettled, require_numbers
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.game.strategies import Strategy, find_strategy, follow_moves, parse_player
from solver.game.value import BoundedValue, Value
from solver.search.sources import SEARCH_BYTES, MoveSource, Source, ThreatSearch, is_short, searches_of
from solver.store.advice import missing_table, suggest_build
from solver.store.paths import FILE_ENDING, default_folder, find_strategy_file, find_table
from solver.support.english import plural
from solver.tablebase import RankedMoves, SourceName, Tablebase

if TYPE_CHECKING:
    from solver.search.gravity import SearchProgress
    from solver.search.strategies import StoredStrategy

SECONDS: Final = 10.0  # the default time limit for the values of one position

_MOST_REMEMBERED: Final = 20_000  # values found by searches
_VALUE_BYTES: Final = 500  # of each of them, about
_FIRST_SLICE: Final = 0.05  # seconds for each move at first, so that a hard move does not hide the easy ones
_SOON: Final = 3  # plies; a win in at most this many is the quickest: an unsettled move wins in three at the earliest
_ORDER: Final[tuple[SourceName, ...]] = ("rules", "table", "strategy", "search")

_T = TypeVar("_T")


class Replies(NamedTuple):
    """The number of moves that keep the value of a position, and the number of all its moves."""

    holding: int
    """Moves that keep the win, the draw, or (all of them) the loss."""

    total: int
    """Legal moves; 0 when the game is over."""

    @property
    def mistakes(self) -> float:
        """The share of moves that make the result worse, from 0 to 1."""
        return (self.total - self.holding) / (self.total or 1)


class Evaluation(NamedTuple):
    """The values of a position and of its moves, as far as they were found."""

    value: Value | None
    """The value for the side to move; None if it is unsettled."""
    moves: list[tuple[int, Value | None]]
    """(square, value for the mover) of every legal move, best first. Unsettled moves come last, with the value None."""
    source: SourceName
    """`rules` if the game is over, `table` or `strategy` if every value comes from one, otherwise `search`."""


class Truth:
    """The values of one game. Threads can share it, and it can be pickled.

    sources: asked in order. seconds: the time limit of each answer. owned: the sources that `close` closes. folder:
    where a table is missing, for messages; None if they must not name it.
    """

    rules: Rules
    """The rules of the game."""

    seconds: float
    """The time limit of each answer."""

    def __init__(
        self,
        rules: Rules,
        sources: Sequence[Source],
        *,
        seconds: float = SECONDS,
        owned: Iterable[Source] = (),
        folder: Path | None = None,
    ) -> None:
        self.rules, self.sources, self.seconds, self.folder = rules, tuple(sources), seconds, folder
        self._owned = (*owned,)
        stored = next((source for source in self.sources if hasattr(source, "holding_move")), None)
        self._stored = cast("StoredStrategy | None", stored)
        self._table = next((source for source in self.sources if isinstance(source, Tablebase)), None)
        self._values: dict[Position, tuple[Value, SourceName]] = {}
        self._exhausted: set[Position] = set()  # positions that searches gave up before their time
        self._answer: Callable[[Position], Value | None] | None = None  # that of a whole table, after the first probe

    @property
    def is_whole(self) -> bool:
        """Whether a table has the value of every position."""
        return self._table is not None and self._table.opening_plies is None

    @property
    def has_table(self) -> bool:
        """Whether the game has a table, which may end after some plies."""
        return self._table is not None

    @property
    def strategy_file(self) -> "StoredStrategy | None":
        """The stored strategy of the game; None if it has none."""
        return self._stored

    @property
    def threats(self) -> ThreatSearch | None:
        """The search for wins by threats, for large games without a whole table; None for other games."""
        return next((source for source in self.sources if isinstance(source, ThreatSearch)), None)

    @property
    def table(self) -> Tablebase:
        """The table of the game. Raises MissingTable, with the command that builds it if it fits this machine."""
        if self._table is None:
            raise missing_table(self.rules, self.folder)
        return self._table

    def require_table(self) -> None:
        """Raise MissingTable if early positions have no value, although a table fits this machine.

        Callers that would otherwise do a part of their work, such as grading late positions only, ask for a build.
        """
        if self._table is None and self.empty is not None and self.advise()[1]:
            raise missing_table(self.rules, self.folder)

    @property
    def resumes(self) -> bool:
        """Whether a position that was not settled in time may be settled by another call."""
        return any(source.resumes for source in self.sources)

    @property
    def empty(self) -> int | None:
        """The maximum number of empty squares for a quick answer; None if every position has one."""
        few, last = max(source.empty for source in self.sources), -1
        if self._table is not None:
            if self._table.opening_plies is None:
                return None
            last = self._table.opening_plies
        squares, left = self.rules.squares - last - 1, self.rules.plies - last - 1
        is_quick = is_short(squares, left, few) or (left < squares and is_short(squares - 1, left - 1, few))
        return None if is_quick else few  # where all moves have a value, so has the position

    @property
    def memory(self) -> int:
        """The bytes of memory that its sources and the values found by searches use."""
        return _VALUE_BYTES * len(self._values) + sum(source.memory for source in self.sources)

    def advise(self, position: Position | None = None) -> tuple[str, str | None]:
        """Return what can settle more positions, as a clause, and the command that builds a table if one fits here.

        position: one that was not settled; without it, the advice is for any.
        """
        build, command = suggest_build(self.rules, self.folder or default_folder())
        if self._stored and not self._stored.header.is_unfinished:
            build, command = "", None
        first = "allow more time" if self.resumes and position not in self._exhausted else "give a later position"
        return f"{first}, or {build}" if build else first, command

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move.

        Raises Unsettled (not found), MissingTable (a position of another game), ImpossiblePosition, DamagedTable.
        """
        if position.rules is not self.rules:
            self._require_game(position)
        value = (self._answer or self._find)(position)
        if value is None:
            raise self.unsettled(position)
        return value

    def get(self, position: Position, default: _T | None = None) -> Value | _T | None:
        """Return the value for the side to move, or the default if it is unsettled or of another game."""
        try:
            return self.probe(position)
        except MissingTable:
            return default

    def known(self, position: Position) -> Value | None:
        """Return the value for the side to move if a table, a strategy or a short search has it; otherwise None."""
        found = self._ask(position, [source for source in self.sources if not source.resumes], 0)
        return found[0] if found else None

    def probe_wdl(self, position: Position) -> int:
        """Return 1, 0 or -1: win, draw or loss for the side to move. Raises the errors of `probe`."""
        return self.probe(position).wdl

    def evaluate(self, position: Position) -> Evaluation:
        """Return the values of a position and of its moves, as far as they are found in `seconds`.

        Raises MissingTable (a position of another game), ImpossiblePosition, DamagedTable.
        """
        if self.is_whole:
            return Evaluation(self.probe(position), [*self.moves(position)], "rules" if position.is_over else "table")
        self._require_game(position)
        deadline, part = monotonic() + self.seconds, _FIRST_SLICE
        known = self._ask(position, (source for source in self.sources if not source.resumes), 0)
        unsettled, sources = {square: position.play(square) for square in position.legal_moves}, self.sources
        found: dict[int, tuple[Value, SourceName]] = {}
        quick = (one for one in self.sources if not one.resumes and not isinstance(one, MoveSource))
        is_whole = known is not None and (known[1] in {"rules", "table"} or any(one.find(position, 0) for one in quick))
        if not is_whole and (winning := self._winning_move(position)):
            square, won, name = winning
            found[square], known = (won.after_move(), name), known or (won, name)
            sources = ()  # to settle the other moves would take all the time
        open_moves, is_searched = {**unsettled} if sources else {}, bool(sources)
        while open_moves and sources and (part == _FIRST_SLICE or monotonic() < deadline):
            for square, child in [*open_moves.items()]:
                begun, left = monotonic(), max(min(part, deadline - monotonic()), 0.001)
                asked = sources if begun < deadline else [source for source in sources if not source.resumes]
                if answer := self._ask(child, asked, left):
                    found[square] = answer
                if answer or monotonic() - begun < left / 2:  # nothing is left to try
                    del open_moves[square]
            sources, part = tuple(source for source in sources if source.resumes), part * 4
        unsettled = {square: child for square, child in unsettled.items() if square not in found}
        moves: list[tuple[int, Value | None]] = [(square, value.before_move()) for square, (value, _) in found.items()]
        moves = _sorted(moves + [(square, None) for square in unsettled])
        value = known[0] if known else _value_of(moves)
        if is_searched and unsettled and not open_moves and self.resumes and monotonic() < deadline:
            self._give_up(position)
        if value and not known:
            self._remember(position, (value, "search"))
        used: set[SourceName] = {name for _, name in found.values()} - {"rules"}
        is_stored = known is not None and known[1] == "strategy"
        used |= {"strategy"} if is_stored else set()
        if (unsettled and not is_stored) or not (used or self.has_table or position.is_over):
            used |= {"search"}
        last = max(used, key=_ORDER.index, default="rules" if position.is_over else "table")
        return Evaluation(value, moves, last)

    def moves(self, position: Position) -> RankedMoves:
        """Return (square, value) for every legal move, best first, ties ordered by square; [] if the game is over.

        The value is for the side that moves, and its distance is counted from `position`: a move that wins immediately
        has Value(1, 1). Raises the errors of `probe`, and Unsettled unless every move is settled.
        """
        if self.is_whole:
            self._require_game(position)  # without moves, nothing is probed
            moves = [(square, self.probe(position.play(square)).before_move()) for square in position.legal_moves]
            return sorted(moves, key=lambda move: (move[1].rank, move[0]))
        value, found, _ = self.evaluate(position)
        settled = [(square, one) for square, one in found if one is not None]
        if len(settled) < len(found):
            raise self.unsettled(position, of_moves=value is not None)
        return settled

    def moves_many(self, positions: Iterable[Position]) -> list[RankedMoves]:
        """Return `moves(position)` for each position; a table is probed for all of them at once."""
        positions = [*positions]
        if self._table is None:
            return [self.moves(position) for position in positions]
        many = []
        for position in positions:
            self._require_game(position)
        for position, found in zip(positions, self._table.moves_many(positions), strict=True):
            settled = [(square, value) for square, value in found if value is not None]
            is_settled = len(settled) == len(found)
            ranked = sorted(settled, key=lambda move: (move[1].rank, move[0]))
            many.append(ranked if is_settled else self.moves(position))
        return many

    def best_move(self, position: Position) -> int:
        """Return the first of the best moves; if not all moves are settled, one proved to keep the value.

        Raises PositionError if the game is over, and Unsettled if no move is proved to keep the value.
        """
        if position.is_over:
            raise PositionError(f"The game is over in {position.board}, so there is no best move.")
        if self.is_whole:
            return self.moves(position)[0][0]
        value, moves, _ = self.evaluate(position)
        square, best = moves[0]
        if value is None or best is None or best.wdl != value.wdl:
            raise self.unsettled(position)
        return square

    def holding_move(self, position: Position) -> int | None:
        """Return a move with which a stored strategy keeps its side from losing; None if it has none."""
        return self._stored.holding_move(position) if self._stored else None

    def holder(self, position: Position) -> Side | None:
        """Return the side that does not lose from a position, by a strategy that holds; None if that is unknown."""
        if self._stored is None or self._stored.header.claim != "holds" or not self._stored.holds(position):
            return None
        return self._stored.header.side

    def replies(self, position: Position) -> Replies:
        """Return how many moves keep the value, and how many are legal. Raises the errors of `moves`.

        After a1 on 3,3,3, one of eight replies keeps the draw; after b2, four of eight do.
        """
        values = [value.wdl for _, value in self.moves(position)]
        return Replies(values.count(values[0]) if values else 0, len(values))

    def moves_by_traps(self, position: Position) -> list[tuple[int, Value, Replies]]:
        """Return (square, value, replies) for every move, best first; ties by share of mistakes, largest first."""
        moves = [(square, value, self.replies(position.play(square))) for square, value in self.moves(position)]
        return sorted(moves, key=lambda move: (move[1].rank, -move[2].mistakes, move[0]))

    def mainline(self, position: Position) -> list[int]:
        """Return the squares of best play by both sides, up to the end. Raises the errors of `best_move`.

        A win by continuous fours is followed as soon as there is one, with replies that stop every line.
        """
        line: list[int] = []
        while not position.is_over:
            if forced := self.forced_line(position):
                return line + forced
            line.append(self.best_move(position))
            position = position.play(line[-1])
        return line

    def forced_line(self, position: Position) -> list[int]:
        """Return the moves of a win by continuous fours on a large board; [] if there is none.

        A strategy stores a winning move only where a short search finds no win, so none is searched for there.
        """
        if not self.threats or position.is_over or (self._stored and self._stored.stores_win(position)):
            return []
        win = self.threats.forced_win(position)
        return win.moves if win else []

    def strategy(
        self, position: Position, player: str | None = None, draw_ok: bool = True, depth: int | None = None
    ) -> Strategy | None:
        """Return a strategy by which a player reaches the goal, or None if no strategy does.

        player: `X` or `O`, by default the side to move; if the other side is to move, the strategy starts with answers
        to that side's moves. draw_ok: whether a draw is enough; otherwise, the goal is a win. depth: the number of the
        player's moves after which the strategy ends. Raises the errors of `probe`.
        """
        self._require_game(position)
        require_numbers(1, depth=depth)
        side, stored = parse_player(player or position.to_move), self._stored
        last = self.rules.squares if depth is None else position.ply + 2 * depth

        def choose(at: Position) -> int | None:
            if stored is None or at.to_move != side or at.ply >= last:
                return None
            move = stored.holding_move(at)
            if move is None:
                raise self.unsettled(at)
            return move

        is_stored = stored is not None and not position.is_over and stored.holds(position)
        if stored and is_stored and stored.header.side == side and (draw_ok or stored.header.claim == "wins"):
            return follow_moves(position, side, choose)
        try:
            return find_strategy(self.probe, position, side, draw_ok, depth)
        except Unsettled as error:
            if stored is None or not is_stored or stored.header.side == side:
                raise
            known = f"No strategy of {side} is known for {self.rules}, and the stored one is {stored.header.side}'s"
            raise Unsettled(f"{known}; ask for that of {stored.header.side}.") from error

    def unsettled(self, position: Position, *, of_moves: bool = False) -> Unsettled:
        """Return the error for a position without a value, or with moves without one; it names what can help."""
        after = f"position of {self.rules} after {plural(position.ply, 'ply', 'plies')}"
        where = f"the {after if position.ply else f'empty board of {self.rules}'}"
        where = f"At least one move from {where}" if of_moves else f"T{where[1:]}"
        advice, command = self.advise(position)
        if position in self._exhausted:
            return Unsettled(f"{where} was not settled, and its searches have nothing left to try; {advice}.", command)
        if self.resumes:
            return Unsettled(f"{where} was not settled by a search of at most {self.seconds:g} s; {advice}.", command)
        few = plural(max(source.empty for source in self.sources), "empty square")
        most = f"a search settles positions with up to {few}"
        return Unsettled(f"{where} is in no table, and {most}; {advice}.", command)

    def close(self) -> None:
        """Close the sources that were opened for it."""
        for source in self._owned:
            source.close()

    def __repr__(self) -> str:
        return f"<Truth of {self.rules}: {', '.join(source.name for source in self.sources) or 'no source'}>"

    def _repr_html_(self) -> str | None:
        """Show the statistics of the table in a notebook."""
        return self._table._repr_html_() if self._table else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[..., "Truth"], tuple[object, ...]]:
        """Support pickling: sources are opened again, and the copy owns them."""
        return _reopen, (self.rules, self.sources, self.seconds, self.folder)

    def _winning_move(self, position: Position) -> tuple[int, Value, SourceName] | None:
        """Return a winning move, its value and its source, from the first source that knows one."""
        if position.is_over:
            return None
        for source in self.sources:
            if isinstance(source, MoveSource) and (found := source.find_move(position)):
                return *found, source.name
        return None

    def _require_game(self, position: Position) -> None:
        if not position.rules.is_same_game(self.rules):
            raise MissingTable(f"These are the values of {self.rules}, not of {position.rules}.")

    def _find(self, position: Position) -> Value | None:
        if self.is_whole:
            self._answer = self.table.answer  # later probes are as fast as if the table were asked directly
            return self._answer(position)
        begun = monotonic()
        found = self._ask(position, self.sources, self.seconds)
        if found is None:  # perhaps a move wins, or all moves are known
            if self.resumes and monotonic() - begun < self.seconds / 2:
                self._give_up(position)
            at_once = [source for source in self.sources if not source.resumes]
            after = [(square, self._ask(position.play(square), at_once, 0)) for square in position.legal_moves]
            value = _value_of(_sorted((square, one[0].before_move() if one else None) for square, one in after))
            found = (value, "search") if value else None
        return found[0] if found else None

    def _ask(self, position: Position, sources: Iterable[Source], seconds: float) -> tuple[Value, SourceName] | None:
        """Return the value from the first source that has it, with the source's name."""
        if over := position.value_if_over:
            return over, "rules"
        if known := self._values.get(position):
            return known
        for source in sources:
            if value := source.find(position, seconds):
                found = value, source.name
                if source.name != "table":
                    self._remember(position, found)
                return found
        return None

    def _remember(self, position: Position, found: tuple[Value, SourceName]) -> None:
        if len(self._values) >= _MOST_REMEMBERED:
            self._values = {}  # another thread may still read the old one
        self._values[position] = found

    def _give_up(self, position: Position) -> None:
        if len(self._exhausted) >= _MOST_REMEMBERED:
            self._exhausted = set()
        self._exhausted.add(position)


def open_truth(
    rules: Rules | str,
    tables: Truth | Tablebase | str | os.PathLike[str] | None = None,
    *,
    seconds: float = SECONDS,
    search_bytes: int = SEARCH_BYTES,
    progress: "Callable[[SearchProgress], None] | None" = None,
) -> Truth:
    """Open the values of a game: its table, if there is one, and a search for the positions that it lacks.

    rules: the rules, or the name of the game. tables: a table, its path, the path of a folder (by default
    `$MNK_DATA`, or `data`; the tables of this package come second), or a Truth, whose sources are shared and stay
    open. seconds: the time limit of each answer. search_bytes: the memory of a search with gravity. Without a
    table, searches settle all positions of games with up to 9 squares and of k in a row with gravity (without other
    variants, on boards that fit into 64 bits with a row added), and late positions of all other games. Raises
    MissingTable (a table of another game, or no file at the path), UnsupportedTable and DamagedTable.
    """
    require_numbers(0, inf, Real, seconds=seconds, search_bytes=search_bytes)
    rules = parse_game(rules) if isinstance(rules, str) else rules
    if isinstance(tables, Truth | Tablebase) and not rules.is_same_game(tables.rules):
        raise MissingTable(f"The values of {tables.rules} were given for {rules}; give those of {rules}.")
    if isinstance(tables, Truth):
        return Truth(rules, tables.sources, seconds=tables.seconds, folder=tables.folder)
    owned: list[Source] = []
    path = tables.path.parent if isinstance(tables, Tablebase) else Path(tables or default_folder())
    if isinstance(tables, Tablebase):
        table: Tablebase | None = tables
    else:
        found = path if isfile(path) or path.suffix == FILE_ENDING else find_table(path, rules)
        table = Tablebase.open(found, rules) if found else None
        owned += [table] if table else []
    sources: list[Source] = [table] if table else []
    if table is None or table.opening_plies is not None:
        stored = find_strategy_file(path, rules)
        more = [*searches_of(rules, search_bytes, progress)]
        if stored:
            from solver.search.strategies import StoredStrategy  # only for games with a strategy

            more.insert(0, StoredStrategy(stored, rules))
        sources, owned = [*sources, *more], [*owned, *more]
    return Truth(rules, sources, seconds=seconds, owned=owned, folder=path)


def open_tablebase(path: str | os.PathLike[str]) -> Truth:
    """Open the values of the game whose table is in a file. Raises the errors of `Tablebase.open`."""
    table = Tablebase.open(path)
    truth = open_truth(table.rules, table)
    return _reopen(truth.rules, truth.sources, truth.seconds, truth.folder)


def _reopen(rules: Rules, sources: tuple[Source, ...], seconds: float, folder: Path | None) -> Truth:
    return Truth(rules, sources, seconds=seconds, owned=sources, folder=folder)


def _sorted(moves: Iterable[tuple[int, Value | None]]) -> list[tuple[int, Value | None]]:
    return sorted(moves, key=lambda move: (move[1] is None, move[1].rank if move[1] else (0, 0), move[0]))


def _value_of(moves: Sequence[tuple[int, Value | None]]) -> Value | None:
    """Return the value of a position that follows from its sorted moves; None if they do not settle it."""
    best, last = (moves[0][1], moves[-1][1]) if moves else (None, None)
    if best is None or (last is None and best.wdl <= 0):
        return None
    is_quickest = last is not None and not any(value and value.wdl > 0 and value.within for _, value in moves)
    if best.wdl <= 0 or is_quickest or not best.distance or best.distance <= _SOON:
        return best
    return BoundedValue(1, best.distance)
