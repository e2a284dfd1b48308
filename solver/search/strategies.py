"""Values from a stored strategy: the positions that it wins or holds, and its moves."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.symmetry import invert
from solver.game.value import BoundedValue, Value
from solver.store.strategy_file import Header, StrategyReader, canonical

if TYPE_CHECKING:
    from threading import Lock

    from solver.search.threats import Prover


class StoredStrategy:
    """A source of values: a strategy in a file, for the positions that its side wins or holds."""

    name: Final = "strategy"
    resumes: Final = False
    empty: Final = 0  # it settles only positions that can arise when its side follows it
    memory: Final = 0

    def __init__(self, path: Path, rules: Rules | None = None) -> None:
        self._reader = StrategyReader(path, rules)
        self.rules = self._reader.rules
        self._search: tuple[Prover, Lock] | None = None  # for positions that the strategy leaves out

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._reader.path

    @property
    def header(self) -> Header:
        """What the strategy claims."""
        return self._reader.header

    def find(self, position: Position, seconds: float) -> Value | None:
        """Return the value for the side to move; None if the strategy does not settle the position."""
        if self.header.claim != "wins":
            return None
        if position.to_move == self.header.side:
            found = self.find_move(position)
            return found[1] if found else None
        longest = 0
        for reply in position.legal_moves:
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
        if row := self._reader.get(number):
            assert row.within is not None  # every row of a win has it
            return invert(symmetry)[row.move], BoundedValue(1, row.within)
        prover, lock = self._search or self._load()
        with lock:
            win = prover.forced_win(position)
        return (win.moves[0], win.value) if win else None

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def __reduce__(self) -> "tuple[type[StoredStrategy], tuple[Path, Rules]]":
        return StoredStrategy, (self.path, self.rules)

    def _load(self) -> "tuple[Prover, Lock]":
        from threading import Lock

        from solver.search.threats import Prover  # loads the compiler

        self._search = Prover(self.rules), Lock()
        return self._search
