"""Values from a stored strategy: the positions that it wins or holds, and its moves."""

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.game.symmetry import invert
from solver.game.value import BoundedValue, Value, win_within
from solver.search.pairings import PairingFinder, is_draw_proved, pairs_left
from solver.store.strategy_file import Header, Row, StrategyReader, canonical
from solver.tablebase import SourceName

if TYPE_CHECKING:
    from solver.search.threats import Prover


class StoredStrategy:
    """A source of values: a strategy in a file, for the positions that its side wins or holds."""

    resumes: Final = False
    empty: Final = 0  # it settles only positions that can arise when its side follows it

    def __init__(self, path: Path, rules: Rules | None = None) -> None:
        self._reader = StrategyReader(path, rules)
        self.rules = self._reader.rules
        self._lock = Lock()
        self._prover: Prover | None = None  # for positions that the strategy leaves out
        self._finder: PairingFinder | None = None

    @property
    def name(self) -> SourceName:
        """`strategy`, or `search` as long as the proof is unfinished: its wins were found, and are not checked yet."""
        return "search" if self.header.is_unfinished else "strategy"

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._reader.path

    @property
    def header(self) -> Header:
        """What the strategy claims."""
        return self._reader.header

    @property
    def digest(self) -> str:
        """The digest of its rows, which the file states."""
        return self._reader.digest

    @property
    def memory(self) -> int:
        """The bytes of the tables of its searches."""
        return self._prover.bytes if self._prover else 0

    def find(self, position: Position, seconds: float) -> Value | None:
        """Return the value for the side to move; None if the strategy does not settle the position.

        A strategy that holds settles the first position if the other side cannot lose, and every position that it holds
        if the side wins by holding.
        """
        if self.header.claim == "holds":
            if self.rules.unfinished == self.header.side:
                return Value(1 if position.to_move == self.header.side else -1) if self.holds(position) else None
            is_draw = position.ply == 0 and is_draw_proved(self.rules)
            return Value(0, self.rules.plies) if is_draw else None
        if position.to_move == self.header.side:
            found = self.find_move(position)
            return found[1] if found else None
        with self._lock:
            unanswered, longest = self._searched().answered(position)
        for reply in unanswered:
            child = position.play(reply)
            value = child.value_if_over or self.find(child, seconds)
            if value is None or value.wdl <= 0:
                return None
            longest = max(longest, value.distance or value.within or 0)
        return BoundedValue(-1, longest + 1)

    def find_move(self, position: Position) -> tuple[int, Value] | None:
        """Return the strategy's move and its value for the side that moves; None if the position is not its own."""
        if position.to_move != self.header.side or self.header.claim != "wins":
            return None
        number, symmetry = canonical(self.rules, position.x, position.o)
        back = invert(symmetry)
        if row := self._find_row(number):
            assert row.within is not None  # every row of a win has it
            within = self.rules.plies - position.ply if self.header.is_unfinished else row.within
            return self._legal(position, back[row.move]), BoundedValue(1, within)
        with self._lock:
            found = self._searched().leaf_win(position.transform(symmetry))  # it depends on the order of the squares
        return (back[found[0]], win_within(found[1])) if found else None

    def stores_win(self, position: Position) -> bool:
        """Return True if a winning move is stored for the position or for a symmetric one."""
        number, _ = canonical(self.rules, position.x, position.o)
        return self.header.claim == "wins" and self._find_row(number) is not None

    def _find_row(self, number: int) -> Row | None:
        """Return the row of a canonical position; None if there is none.

        That of the empty board, 0, does not count until the proof is finished.
        """
        return None if number == 0 and self.header.is_unfinished else self._reader.get(number)

    def _legal(self, position: Position, move: int) -> int:
        """Return a stored move. Raises DamagedTable if it is not legal."""
        if move not in position.legal_moves:
            raise self._reader.damaged(f"the move {move} is not legal in {position.board}")
        return move

    def _searched(self) -> "Prover":
        if self._prover is None:
            from solver.search.threats import Prover  # loads the compiler

            self._prover = Prover(self.rules)
        return self._prover

    def holding_move(self, position: Position) -> int | None:
        """Return a move with which the side, to move, does not lose; None if the strategy has none."""
        if position.is_over or position.to_move != self.header.side:
            return None
        if self.header.claim == "wins":
            found = self.find_move(position)
            return found[0] if found else None
        if self.header.pairs:
            return next((move for move in position.legal_moves if self.holds(position.play(move))), None)
        number, symmetry = canonical(self.rules, position.x, position.o)
        if row := self._find_row(number):
            return self._legal(position, invert(symmetry)[row.move])
        image = position.transform(symmetry)  # the search for pairings depends on the order of the squares
        with self._lock:
            self._finder = self._finder or PairingFinder(self.rules, self.header.side)
            move = self._finder.reply(image.x, image.o)
        return None if move is None else invert(symmetry)[move]

    def holds(self, position: Position) -> bool:
        """Return True if the side does not lose when it follows the strategy from a position."""
        side, outcome = self.header.side, position.outcome
        if outcome:
            return outcome != OTHER[side]
        if self.header.claim == "wins":
            value = self.find(position, 0)
            return value is not None and value.wdl == (1 if position.to_move == side else -1)
        if position.to_move == side:
            return self.holding_move(position) is not None
        if self.header.pairs:
            return pairs_left(self.rules, position, side, self.header.pairs) is not None
        return all(self.holds(position.play(move)) for move in position.legal_moves)

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def __reduce__(self) -> "tuple[type[StoredStrategy], tuple[Path, Rules]]":
        return StoredStrategy, (self.path, self.rules)
