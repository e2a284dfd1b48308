"""Get moves from a program, in any language, that reads and writes lines of text, or from a server.

`cmd:./engine` reads a position per line, `XO./.X./... O`: the board row by row from the top, `.` for an empty square,
and the side to move. It answers with one line: a move and perhaps a value, such as `c3` or `c3 value 0.5`. Lines that
begin with # are ignored.

`gomocup:./pbrain-x` speaks Gomocup's protocol: START (or RECTSTART) sets the board, INFO the times and the rule,
BOARD ... DONE gives a position, in which 1 marks the brain's own stones, and RESTART comes before the next one. In a
match, TURN gives the move of the other side. A brain that does not know RESTART is started again. Coordinates are
column,row from 0. The protocol cannot state the length of a line: brains play five in a row.

A server answers with JSON: a move, or an object with "move" and perhaps "value". It gets each request by POST:

    {"game": "3,3,3", "board": "XO./.X./...", "to_move": "O", "legal_moves": [2, 3, 5, 6, 7, 8]}
"""

import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from solver.verification.host import EngineFailure

_CONNECT = 5.0  # seconds to wait for a server's answer at the start
_LONGEST = 10_000  # bytes of a line
_WAIT = 0.3  # seconds, after the first answer, for more lines than the answer
_MOST_WAIT = 5.0  # seconds, after the second: a slow program that greets first is a line behind only then
_LONGEST_REPLY = 1 << 16  # bytes of a server's answer
_MOVE = re.compile(r"-?\d{1,9}\s*,\s*-?\d{1,9}")
_LARGEST = (1 << 31) - 1  # bytes, or milliseconds; brains read them into an int
_NOT_THERE = {404, 405, 410, 501}  # statuses of a server that is not an engine, or of another address
_SKIPPED = ("MESSAGE", "DEBUG", "SUGGEST", "INFO")


class LineProgram:
    """A program that reads and writes lines. Raises LookupError if the program is missing.

    It runs in the folder of its file or, if the command names no file, in the current folder.

    Reading has no time limit, because the grader ends this process if the engine is late.
    """

    def __init__(self, command: str, environment: dict[str, str]) -> None:
        words = shlex.split(command)
        found = (shutil.which(words[0]) or shutil.which(f"./{words[0]}")) if words else None
        if found is None:
            if words and Path(words[0]).is_file():
                file = shlex.quote(words[0])
                raise LookupError(f"{file} may not be run; use chmod +x {file}, or name its interpreter first")
            raise LookupError(f"there is no program {words[0] if words else command!r} that can be run")
        files = [str(Path(word).absolute()) if Path(word).is_file() else word for word in words[1:]]
        named = [word for word in files if Path(word).is_file()]
        self._words = [str(Path(found).absolute()), *files]
        folder = Path(named[0] if named else self._words[0]).parent
        is_interpreter = (os.sep not in words[0] and shutil.which(words[0])) or folder.name in {"bin", "sbin"}
        self._folder = folder if named or not is_interpreter else Path.cwd()
        self._environment = {**os.environ, **environment}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the program has been started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> bool:
        """Start the program unless it is running; return whether it was started."""
        if self.is_running:
            return False
        self.process = subprocess.Popen(
            self._words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self._folder,
            env=self._environment,
        )  # fmt: skip
        return True

    def stop(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def write(self, *lines: str) -> None:
        """Send lines; if the program has ended, the next read detects it."""
        assert self.process is not None
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def reject_surplus(self, answer: str, seconds: float) -> None:
        """Wait for lines after the answer. Raises EngineFailure if one does not begin with #.

        Then nobody knows which line answers which request.
        """
        assert self.process is not None
        assert self.process.stdout is not None
        output = self.process.stdout
        while select.select([output], [], [], seconds)[0] and (data := os.read(output.fileno(), _LONGEST)):
            if data.rpartition(b"\n")[2].lstrip().startswith(b"#"):  # the rest of a remark
                data += output.readline(_LONGEST)
            lines, seconds = map(_strip, data.decode("utf-8", "replace").splitlines()), 0
            if text := next((line for line in lines if line and not line.startswith("#")), ""):
                raise EngineFailure(
                    "protocol",
                    f"it wrote {answer[:200]!r} and then {text[:200]!r} for one position; write one line for each "
                    "position, without a prompt, and begin all other lines with #",
                )

    def read_line(self, skipped: tuple[str, ...] = ("#",)) -> str:
        """Return the next line that is not blank and does not begin with one of `skipped`. Raises EngineFailure."""
        assert self.process is not None
        assert self.process.stdout is not None
        while line := self.process.stdout.readline(_LONGEST):
            text = _strip(line.decode("utf-8", "replace"))
            if text and not text.upper().startswith(skipped):
                return text
        code = self.process.wait()
        how = f"exit code {code}" if code >= 0 else f"a signal: {signal.strsignal(-code)}"
        raise EngineFailure("crash", f"the program ended ({how})")


def _strip(line: str) -> str:
    """Return a line without spaces around it, and without the mark with which some programs begin a text in UTF-8."""
    return line.strip().lstrip("\ufeff").strip()


def open_command(setup: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Return a function that gets moves from the program. Raises LookupError if it can't be run.

    If the program ends after an answer, it is started again.
    """
    program = LineProgram(setup["argument"], {"MNK_GAME": setup["game"]["name"]})
    program.start()
    line, asked, took = "", 0, 0.0

    def ask(request: dict[str, Any], again: bool = True) -> Any:
        nonlocal line, asked, took
        if program.start():
            asked = 0
        elif asked:
            longer = min(_WAIT + 2 * took, _MOST_WAIT) if asked == 2 else 0
            program.reject_surplus(line, _WAIT if asked == 1 else longer)
        asked += 1
        began = monotonic()
        try:
            program.write(f"{request['board']} {request['player']}")
            line = program.read_line()
            took = monotonic() - began
        except EngineFailure:
            has_ended = program.process and program.process.poll() is not None
            if again and line and has_ended:  # perhaps after its last answer, before this request came
                return ask(request, again=False)
            raise
        move, word, value = line.partition(" value ")
        with suppress(ValueError):
            return {"move": move.strip(), "value": float(value)} if word else move.strip()
        return line

    return ask


class _Brain:
    """A brain of Gomocup's protocol, and the stones that it knows."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._program, game = LineProgram(setup["argument"], {}), setup["game"]
        rows, self._columns = game["rows"], game["columns"]
        self._size = f"START {rows}" if rows == self._columns else f"RECTSTART {self._columns},{rows}"
        self._limits = {
            "timeout_turn": int(setup["seconds"] * 800),
            "game_type": 1,
            "rule": int("exact" in game["variants"]),
            "max_memory": min(setup["memory"] or 0, _LARGEST),
        }
        self._game: object = None  # the number of the game in a match
        self._board = ""  # the stones that it knows; empty from START or RESTART to the next position

    def start(self) -> None:
        """Start the brain or, if it has received a position, clear its board. Raises EngineFailure."""
        is_new, is_open = self._program.start(), self._board != ""
        if not is_new and is_open:  # as the protocol demands before BOARD and BEGIN while a match is open
            self._program.write("RESTART")
            answer = ""
            with suppress(EngineFailure):  # it may end
                answer = self._program.read_line(_SKIPPED).upper()
            if answer != "OK":  # a brain may not know it, and is started again then
                self._program.stop()
                is_new = self._program.start()
        self._board = ""
        if is_new:
            self._program.write(self._size)
            line = self._program.read_line(_SKIPPED)
            if line.upper() != "OK":
                raise EngineFailure("exception", f"it answered {line[:200]!r}; expected OK")
        if is_new or is_open:
            self._inform(self._limits)

    def move(self, request: dict[str, Any]) -> str:
        """Return the brain's move. Raises EngineFailure.

        In a match, the request has the number of the `game` and the `clock`: the seconds for all moves, and those left.
        """
        cells, own, game = request["cells"], request["player"], request.get("game")
        new = [square for square, pair in enumerate(zip(self._board, cells, strict=False)) if pair[0] != pair[1]]
        has_moved = len(new) == 1 and self._board[new[0]] == "."  # the other side, once, since the brain did
        if has_moved and game == self._game is not None and self._program.is_running:
            lines = [f"TURN {self._name(new[0])}"]
        else:
            self.start()
            stones = [(square, cell) for square, cell in enumerate(cells) if cell != "."]
            listed = [f"{self._name(square)},{1 + (cell != own)}" for square, cell in stones]
            lines = ["BOARD", *listed, "DONE"] if stones else ["BEGIN"]
        self._game, self._board = game, cells
        total, left = [min(int(1000 * one), _LARGEST) for one in request.get("clock") or (0, _LARGEST)]
        self._inform({"timeout_match": total, "time_left": left})
        self._program.write(*lines)
        line = self._program.read_line((*_SKIPPED, "UNKNOWN"))  # which may answer INFO
        if not _MOVE.fullmatch(line):
            raise EngineFailure("exception", f"it answered {line[:200]!r}; expected column,row")
        column, row = map(int, line.split(","))
        square = row * self._columns + column
        self._board = f"{cells[:square]}{own}{cells[square + 1 :]}"
        return line

    def _inform(self, facts: dict[str, int]) -> None:
        self._program.write(*[f"INFO {name} {value}" for name, value in facts.items()])

    def _name(self, square: int) -> str:
        return f"{square % self._columns},{square // self._columns}"


def open_gomocup(setup: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Return a function that gets moves from the brain. Raises LookupError if the brain rejects the board."""
    brain = _Brain(setup)
    try:
        brain.start()
    except EngineFailure as failure:
        raise LookupError(f"the brain does not take the board of {setup['game']['name']}: {failure}") from None
    return brain.move


def open_http(setup: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Return a function that gets moves from a server. Raises LookupError if nothing accepts a connection there."""
    try:
        urlopen(Request(setup["argument"], method="HEAD"), timeout=_CONNECT).close()
    except HTTPError:
        pass  # it answers
    except URLError as error:
        raise LookupError(f"the server {setup['argument']} can't be reached ({error.reason}); start it first") from None
    except (OSError, HTTPException):
        pass  # it accepted the connection

    has_answered = False

    def ask(request: dict[str, Any]) -> Any:
        nonlocal has_answered
        fields = {"game": setup["game"]["name"], "board": request["board"], "to_move": request["player"]}
        body = json.dumps({**fields, "legal_moves": request["moves"]}).encode()
        post = Request(setup["argument"], body, {"Content-Type": "application/json"})
        try:
            with urlopen(post) as reply:  # without a limit: this process is ended if the engine is late
                text = _strip(reply.read(_LONGEST_REPLY).decode("utf-8", "replace"))
        except HTTPError as error:
            kind = "address" if error.code in _NOT_THERE and not has_answered else "exception"
            raise EngineFailure(kind, f"the server answered {error.code} {error.reason} to POST") from None
        except OSError as error:
            raise EngineFailure("crash", f"the server sent no response: {error}") from None
        has_answered = True
        try:
            return json.loads(text)
        except ValueError:
            return text

    return ask
