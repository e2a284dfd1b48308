"""Ask brains that speak Gomocup's protocol: `gomocup:./pbrain-x`.

START (or RECTSTART on boards that are not square) sets the board, INFO the time for a move and the rule, BOARD ... DONE
a position with own stones as 1 and the opponent's as 2, TURN a move that continues the position before. Coordinates
are column,row from 0. Lines of MESSAGE and DEBUG are passed over, ERROR and UNKNOWN are exceptions.
A brain is never told how many in a row win: the protocol knows five only. So ask it about games it plays.
"""

import re
from functools import partial
from time import monotonic
from typing import Any, Final

from solver.errors import EngineError
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.support.workers.output import last_line
from solver.verification.adapters.lines import LineSession, split_command
from solver.verification.adapters.sandbox import SANDBOXED
from solver.verification.adapters.sessions import SessionEngine, SessionFailed
from solver.verification.contract import AskOptions, EngineUnderTest, Failure
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.move_formats import COLUMN_ROW, UNWRAPPED, ReplyFormat

_MOVE: Final = re.compile(r"-?\d+\s*,\s*-?\d+")
_MOST_MEMORY: Final = (1 << 31) - 1  # bytes; what brains read numbers into may hold no more
_CHATTER: Final = ("MESSAGE", "DEBUG", "SUGGEST", "INFO")


def open_gomocup(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open a brain; raises EngineError when it can't be run or refuses the board."""
    k = require_rectangle(rules, "Gomocup's protocol").k
    text = str(spec).strip()
    make = partial(_BrainSession, split_command(text.partition(":")[2]), options, rules)
    engine = SessionEngine(text, rules, options, make, Convention(reply=ReplyFormat(UNWRAPPED, COLUMN_ROW)))
    engine.isolation = SANDBOXED if options.sandbox else "as a program in a session of its own, without a sandbox"
    engine.convention = "Gomocup's protocol: BOARD with own stones as 1, moves as column,row from 0"
    if k != 5:
        engine.notes = (f"the protocol can't say that {k} in a row win; brains play five in a row",)
    return engine


class _BrainSession(LineSession):
    def __init__(self, words: list[str], options: AskOptions, rules: Rules) -> None:
        super().__init__(words, options, {})
        self._rules = rules
        self._last: Position | None = None  # the position after its own last move
        try:
            self._start_game()
        except SessionFailed as failed:
            self.close()
            printed = f"; it printed {last_line(self.printed())!r}" if self.printed() else ""
            raise EngineError(f"The brain did not take the board of {rules}: {failed.detail}{printed}.") from failed

    def question(self, position: Position) -> Any:
        try:
            reply = self._ask(position)
        except SessionFailed:
            self.close()
            raise
        column, row = (int(number) for number in reply.split(","))
        square = row * self._rules.diagram.columns + column
        legal = 0 <= column < self._rules.diagram.columns and square in position.legal_moves
        self._last = position.play(square) if legal else None
        return column, row

    def _ask(self, position: Position) -> str:
        turn = self._find_turn(position)
        if turn is None:
            self._start_game()
        process = self.start()
        process.begin()
        if turn is not None:
            process.write(f"TURN {_coordinates(self._rules, turn)}")
        elif position.ply == 0:
            process.write("BEGIN")
        else:
            process.write("BOARD", *_stones(position), "DONE")
        line = self._read_reply(monotonic() + self.options.seconds_per_move)
        if not _MOVE.fullmatch(line):
            raise SessionFailed(Failure.WRONG_TYPE, f"it said {line!r}, expected column,row")
        return line

    def _find_turn(self, position: Position) -> int | None:
        """The opponent's move that leads to this position from the last one, if one does."""
        if self._last is None or self._last.is_over or self.process is None:
            return None
        new = (position.x | position.o) & ~(self._last.x | self._last.o)
        square = new.bit_length() - 1
        return square if new.bit_count() == 1 and self._last.play(square) == position else None

    def _start_game(self) -> None:
        """Begin anew on an empty board, in the program that runs or in a new one."""
        self._last = None
        process = self.start()
        process.begin()
        m, n = self._rules.diagram.rows, self._rules.diagram.columns
        process.write(f"START {m}" if m == n else f"RECTSTART {n},{m}")
        line = self._read_reply(monotonic() + self.options.seconds_to_start)
        if line.upper() != "OK":
            raise SessionFailed(Failure.EXCEPTION, f"it said {line!r}, expected OK")
        milliseconds = int(self.options.seconds_per_move * 800)  # the rest is for the way there and back
        infos = {"timeout_turn": milliseconds, "timeout_match": 0, "rule": int(self._rules.exact)}
        if self.options.memory:
            infos["max_memory"] = min(self.options.memory, _MOST_MEMORY)
        process.write(*[f"INFO {key} {value}" for key, value in infos.items()])

    def _read_reply(self, until: float) -> str:
        """The next line that answers. Raises SessionFailed for an error the brain reports."""
        line = self.start().read_line(until, _CHATTER)
        if line.upper().startswith(("ERROR", "UNKNOWN")):
            raise SessionFailed(Failure.EXCEPTION, line[:200])
        return line

    def close(self) -> None:
        super().close()
        self._last = None


def _stones(position: Position) -> list[str]:
    """The stones, own ones as 1."""
    taken = squares_of(position.x | position.o)
    return [f"{_coordinates(position.rules, square)},{1 if position.own >> square & 1 else 2}" for square in taken]


def _coordinates(rules: Rules, square: int) -> str:
    row, column = divmod(square, rules.diagram.columns)
    return f"{column},{row}"
