"""Brains that speak Gomocup's protocol: `gomocup:./pbrain-x`.

START (or RECTSTART on boards that are not square) sets the board, INFO the time for a move and the rule, BOARD ... DONE
a position with own stones as 1 and the opponent's as 2, TURN a move that continues the position before. Coordinates
are column,row from 0. Lines of MESSAGE and DEBUG are passed over, ERROR and UNKNOWN are exceptions.
A brain is never told how many in a row win: the protocol knows five only. So ask it about games it plays.
"""

import re
from time import monotonic
from typing import Any, Final

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.workers import last_line
from solver.verification.adapters.lines import LineProcess, split_command
from solver.verification.adapters.sessions import Session, SessionEngine, SessionFailed
from solver.verification.contract import AskOptions, EngineUnderTest, Failure
from solver.verification.conventions import Convention
from solver.verification.replies import Reading

__all__ = ["open_gomocup"]

_MOVE: Final = re.compile(r"-?\d+\s*,\s*-?\d+")
_MOST_MEMORY: Final = (1 << 31) - 1  # bytes; what brains read numbers into may hold no more
_CHATTER: Final = ("MESSAGE", "DEBUG", "SUGGEST", "INFO")


def open_gomocup(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """A brain under test; raises EngineError when it can't be run or refuses the board."""
    text = str(spec).strip()
    words = split_command(text.partition(":")[2])
    way = Convention(reading=Reading("", "column,row"))
    engine = SessionEngine(text, rules, options, lambda: _BrainSession(words, rules, options), way, True)
    engine.convention = "Gomocup's protocol: BOARD with own stones as 1, moves as column,row from 0"
    if rules.k != 5:
        engine.notes = (f"the protocol can't say that {rules.k} in a row win; brains play five in a row",)
    return engine


class _BrainSession(Session):
    def __init__(self, words: list[str], rules: Rules, options: AskOptions) -> None:
        self._words, self._rules, self._options = words, rules, options
        self._process: LineProcess | None = None
        self._last: Position | None = None  # the position after its own last move
        self._printed = ""
        try:
            self._start()
        except SessionFailed as failed:
            self.close()
            said = f"; it printed {last_line(self._printed)!r}" if self._printed else ""
            raise EngineError(f"The brain did not take the board of {rules}: {failed.detail}{said}.") from failed

    def printed(self) -> str:
        return self._printed if self._process is None else self._process.said()

    def question(self, position: Position) -> Any:
        try:
            reply = self._asked(position)
        except SessionFailed:
            self.close()
            raise
        column, row = (int(number) for number in reply.split(","))
        square = row * self._rules.n + column
        legal = 0 <= column < self._rules.n and square in position.legal_moves
        self._last = position.play(square) if legal else None
        return column, row

    def _asked(self, position: Position) -> str:
        turn = self._turn(position)
        if turn is None:
            self._start()
        process = self._process
        assert process is not None
        process.begin()
        if turn is not None:
            process.write(f"TURN {turn}")
        elif position.ply == 0:
            process.write("BEGIN")
        else:
            process.write("BOARD", *_stones(position), "DONE")
        return self._move(monotonic() + self._options.seconds_per_move)

    def _turn(self, position: Position) -> str | None:
        """The opponent's move that leads to this position from the last one, if one does."""
        if self._last is None or self._process is None:
            return None
        new = (position.x | position.o) & ~(self._last.x | self._last.o)
        if new.bit_count() != 1 or self._last.is_over or self._last.play(new.bit_length() - 1) != position:
            return None
        return _written(self._rules, new.bit_length() - 1)

    def _start(self) -> None:
        """Begin anew on an empty board, in the program that runs or in a new one."""
        self._last = None
        if self._process is None:
            self._process = LineProcess(self._words, self._options.memory, {})
        self._process.begin()
        m, n = self._rules.m, self._rules.n
        self._process.write(f"START {m}" if m == n else f"RECTSTART {n},{m}")
        self._expect_ok(monotonic() + self._options.seconds_to_start)
        milliseconds = int(self._options.seconds_per_move * 800)  # the rest is for the way there and back
        infos = {"timeout_turn": milliseconds, "timeout_match": 0, "rule": int(self._rules.exact)}
        if self._options.memory:
            infos["max_memory"] = min(self._options.memory, _MOST_MEMORY)
        self._process.write(*[f"INFO {key} {value}" for key, value in infos.items()])

    def _expect_ok(self, until: float) -> None:
        line = self._said(until)
        if line.upper() != "OK":
            raise SessionFailed(Failure.EXCEPTION, f"it said {line!r}, expected OK")

    def _move(self, until: float) -> str:
        line = self._said(until)
        if not _MOVE.fullmatch(line):
            raise SessionFailed(Failure.WRONG_TYPE, f"it said {line!r}, expected column,row")
        return line

    def _said(self, until: float) -> str:
        """The next line that answers. Raises SessionFailed for an error the brain reports."""
        assert self._process is not None
        line = self._process.line(until, _CHATTER)
        if line.upper().startswith(("ERROR", "UNKNOWN")):
            raise SessionFailed(Failure.EXCEPTION, line[:200])
        return line

    def close(self) -> None:
        if self._process is not None:
            self._printed = self._process.said()
            self._process.kill()
            self._process = None
        self._last = None


def _stones(position: Position) -> list[str]:
    """The stones, own ones as 1."""
    own = position.o if position.to_move == "O" else position.x
    taken = (square for square in range(position.rules.squares) if (position.x | position.o) >> square & 1)
    return [f"{_written(position.rules, square)},{1 if own >> square & 1 else 2}" for square in taken]


def _written(rules: Rules, square: int) -> str:
    row, column = divmod(square, rules.n)
    return f"{column},{row}"
