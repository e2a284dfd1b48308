"""The errors of this package, all derived from MnkError.

A message is one sentence: what is wrong, what was expected, and what to do. An error's class determines a command's
exit code and the status of an HTTP response.
"""

from math import inf
from numbers import Integral
from typing import Any, Final

_LONGEST: Final = 2000  # characters of a message
_EXTRAS: Final = dict.fromkeys(("numba", "numpy", "sqlite_utils", "xxhash", "zstandard"), "build")
_EXTRAS.update(dict.fromkeys(("fastapi", "pydantic", "segno", "uvicorn"), "serve"))


class MnkError(Exception):
    """The base of all errors of this package; `str(error)` is one sentence, without control characters."""

    exit_code: int = 1
    http_status: int = 500
    longest: int = _LONGEST
    """The length in characters to which the message is shortened."""

    def __str__(self) -> str:
        return printable(super().__str__(), self.longest)


class InputError(MnkError):
    """An argument, an option or a parameter is invalid.

    This is the base of the errors with exit code 2.
    """

    exit_code = 2
    http_status = 400


class RulesError(InputError):
    """The name or file of a game is invalid, its variants contradict each other, or its board is too large."""


class PositionError(InputError):
    """A position or a move is invalid in its game."""


class NotationError(PositionError):
    """A string, array or number cannot be read as a position or a square."""


class ImpossiblePosition(PositionError):
    """No order of legal moves leads to the position."""


class IllegalMove(PositionError):
    """The move cannot be played, or taken back, in this position."""


class TableError(MnkError):
    """A table cannot be used."""

    exit_code = 3
    http_status = 503


class MissingTable(TableError):
    """The game has no table."""

    http_status = 404

    def __init__(self, message: str, build: str | None = None) -> None:
        super().__init__(message)
        self.build = build  # the command that builds the table, None if the game is unknown


class Unsettled(MissingTable):
    """No table, strategy or search has the value of the position."""


class DamagedTable(TableError):
    """A table's file has changed since it was written."""

    exit_code = 4


class UnsupportedTable(TableError):
    """The file is not a table, or has a version that this package does not read."""

    exit_code = 4


class EngineError(InputError):
    """The engine is unknown, or its options are invalid."""

    positions: int = 0  # the number of positions in which it was asked before


class EngineFailed(MnkError):
    """An engine raised an exception, played an illegal move, or ran out of time."""

    exit_code = 3


class GraderError(InputError):
    """The grader failed, not the engine: the sandbox is unavailable, or a setting is wrong."""

    positions: int = 0  # the number of positions in which the engine was asked before


class NotStarted(GraderError):
    """The grader cannot start a process for an engine."""


class TooSlow(GraderError):
    """An engine took too long to start, or gave too few answers for a grade in its time."""


class MissingExtra(MnkError):
    """A feature needs packages of an extra that is not installed."""


class PictureError(InputError):
    """A picture would be illegible."""


class StorageError(MnkError):
    """A folder cannot be written, or the disk is full."""

    exit_code = 5
    http_status = 507


class DoesNotFit(StorageError):
    """A build or a check needs more memory or disk than is available; nothing was started."""


class ClusterError(MnkError):
    """A cluster cannot be reached, or cannot run the tasks of a build."""

    exit_code = 5


class CheckFailed(MnkError):
    """A table disagrees with the rules of its game."""


class BuildInterrupted(MnkError):
    """A build was stopped before its end."""

    exit_code = 130
    http_status = 503


def require_numbers(least: float, most: float = inf, kind: type = Integral, /, **given: Any) -> None:
    """Raise InputError unless these arguments are whole numbers from `least` to `most`, or None. kind: Real for others.

    >>> require_numbers(1, depth=None, plies=3)
    """
    for name, number in given.items():
        is_number = number is None or (isinstance(number, kind) and not isinstance(number, bool))
        if not is_number or not (number is None or least <= number <= most):
            expected = "a whole number" if kind is Integral else "a number"
            bounds = f"{least} or more" if most == inf else f"from {least} to {most}"
            raise InputError(f"The argument {name} is {quoted(number)}; give {expected}, {bounds}.")


def missing_extra(what: str, extra: str, instead: str = "") -> MissingExtra:
    """Return the error for a feature whose extra is not installed. instead: an alternative to suggest."""
    other = f", or {instead}" if instead else ""
    return MissingExtra(
        f"{what} needs the extra {extra!r}, which is not installed; run `pip install 'mnk-tablebase[{extra}]'`{other}."
    )


def missing_package(error: ModuleNotFoundError) -> Exception:
    """Return MissingExtra if the missing module belongs to the extra `build` or `serve`, otherwise the given error."""
    missing = (error.name or "").partition(".")[0]
    return missing_extra(f"This feature uses {missing} and", _EXTRAS[missing]) if missing in _EXTRAS else error


def printable(text: str, limit: int | None = _LONGEST) -> str:
    """Return a text with escapes in place of signs that can't be printed, such as control characters, but newlines.

    Signs that change the direction of text are escaped too. A text of more than `limit` characters is shortened.
    """
    if limit is not None and len(text) > limit:
        text = f"{text[: limit // 2]} ... {text[-limit // 2 :]}"
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text)


def in_one_line(text: object) -> str:
    """Return a foreign text for a message: printable, without newlines, and shortened."""
    return " ".join(printable(str(text)).split("\n"))


def quoted(given: object, limit: int = 60) -> str:
    """Return a user's input for a message: in quotation marks, on one line, and shortened."""
    try:
        text = str(given)
    except ValueError:  # Python refuses to print whole numbers of thousands of digits
        text = "a huge number"
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
