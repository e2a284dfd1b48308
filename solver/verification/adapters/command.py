"""Ask engines in any language: `cmd:./engine`, which read one position a line and write one move a line.

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
from functools import partial
from time import monotonic
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.lines import LineProcess, LineSession, split_command
from solver.verification.adapters.sandbox import SANDBOXED
from solver.verification.adapters.sessions import (
    SessionEngine,
    SessionFailed,
    detect_reply_format,
    make_text_layout,
)
from solver.verification.contract import AskOptions, EngineUnderTest
from solver.verification.conventions.board_formats import Layout
from solver.verification.conventions.convention import Convention


def open_command(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open a command; raises EngineError when it can't be run, or no answer of it can be read."""
    text = str(spec).strip()
    words, layout = split_command(text.partition(":")[2]), make_text_layout(options)
    make = partial(_CommandSession, words, options, rules, layout)
    engine = SessionEngine(text, rules, options, make, Convention(layout))
    detect_reply_format(engine)
    described = engine.asked_by.describe()
    engine.isolation = SANDBOXED if options.sandbox else "as a program in a session of its own, without a sandbox"
    engine.convention = f"{described}; a line holds the board and the side to move, the answer is one line"
    return engine


class _CommandSession(LineSession):
    def __init__(self, words: list[str], options: AskOptions, rules: Rules, layout: Layout) -> None:
        super().__init__(words, options, {"MNK_GAME": rules.name})
        self._layout = layout
        self._is_fresh = True  # it has answered nothing yet

    def question(self, position: Position) -> Any:
        try:
            return self._ask(position)
        except SessionFailed:
            ended_after_answer = not self._is_fresh and self.process is not None and self.process.has_ended_well()
            self.close()
            if ended_after_answer:  # it is started for each question, and this one it has not heard
                return self.question(position)
            raise

    def _ask(self, position: Position) -> Any:
        process = self.start()
        limit = self.options.seconds_per_move + (self.options.seconds_to_start if self._is_fresh else 0)
        if not self._is_fresh:
            process.begin()
        with suppress(SessionFailed):  # one that can't be written to any more has ended, and reading tells why
            process.write(f"{self._layout.write(position)} {position.to_move}")
        line = process.read_line(monotonic() + limit, chatter=("#",))
        self._is_fresh = False
        return _split_reply(line)

    def start(self) -> LineProcess:
        if self.process is not None and self.process.has_ended():
            self.close()
        self._is_fresh = self._is_fresh or self.process is None
        return super().start()


def _split_reply(line: str) -> Any:
    move, word, value = line.partition(" value ")
    with suppress(ValueError):
        return {"move": move.strip(), "value": float(value)} if word else move.strip()
    return line
