"""Engines in any language: `cmd:./engine`, which read one position a line and write one move a line.

The protocol. The program is started in its own folder and reads lines from its standard input, each a position:

    XO./.X./... O

The board row by row from the top, rows set apart by `/`, `.` an empty square; then the side to move. X began. It
answers each with one line on its standard output, which holds its move, written in any of these ways, but always in
the same: the number of the square, row by row, from 0 or from 1 (`4`); row and column, from 0 or from 1 (`1 1`); or
its name, column letter and row number, a1 at the top left (`b2`). The value it gives the position may follow after
the word `value`, from the side to move (`b2 value 0.5`). Lines that begin with `#`, blank lines, and what it writes
to its standard error are no answers. The output must not be held back: flush it after each line.
The environment variable MNK_GAME holds the game's name (`3,3,3`).
At the end of the input the program should end. It may also end after each answer; then it is started for each.
"""

from contextlib import suppress
from time import monotonic
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.lines import LineProcess, split_command
from solver.verification.adapters.sessions import Session, SessionEngine, SessionFailed, text_convention
from solver.verification.boards import build_board
from solver.verification.contract import AskOptions, EngineUnderTest
from solver.verification.conventions import Convention

__all__ = ["open_command"]


def open_command(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """A command under test; raises EngineError when it can't be run, or no answer of it can be read."""
    text = str(spec).strip()
    words = split_command(text.partition(":")[2])
    way = text_convention(options)
    engine = SessionEngine(text, rules, options, lambda: _CommandSession(words, rules, options, way), way, False)
    engine.convention = f"{engine.way.words()}; a line holds the board and the side to move, the answer is one line"
    return engine


class _CommandSession(Session):
    def __init__(self, words: list[str], rules: Rules, options: AskOptions, way: Convention) -> None:
        self._words, self._options, self._way = words, options, way
        self._environment = {"MNK_GAME": rules.name}
        self._process: LineProcess | None = None
        self._fresh = True
        self._printed = ""

    def printed(self) -> str:
        return self._printed if self._process is None else self._process.said()

    def question(self, position: Position) -> Any:
        try:
            return self._asked(position)
        except SessionFailed:
            ended_after_answer = not self._fresh and self._process is not None and self._process.has_ended_well()
            self.close()
            if ended_after_answer:  # it is started for each question, and this one it has not heard
                return self.question(position)
            raise

    def _asked(self, position: Position) -> Any:
        process = self._running()
        limit = self._options.seconds_per_move + (self._options.seconds_to_start if self._fresh else 0)
        if not self._fresh:
            process.begin()
        with suppress(SessionFailed):  # one that can't be written to any more has ended, and reading tells why
            process.write(f"{build_board(self._way.board, self._way.marks, position)} {position.to_move}")
        line = process.line(monotonic() + limit, chatter=("#",))
        self._fresh = False
        return _reply(line)

    def _running(self) -> LineProcess:
        if self._process is not None and self._process.has_ended():
            self.close()
        if self._process is None:
            self._process = LineProcess(self._words, self._options.memory, self._environment)
            self._fresh = True
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._printed = self._process.said()
            self._process.kill()
            self._process = None


def _reply(line: str) -> Any:
    move, word, value = line.partition(" value ")
    with suppress(ValueError):
        return {"move": move.strip(), "value": float(value)} if word else move.strip()
    return line
