"""All errors that a user can cause or meet, as one tree.

    MnkError
    +-- RulesError              a game's name can't be read, or the game can't be built
    +-- PositionError           a position or a move that makes no sense
    |   +-- NotationError           the text or array can't be read
    |   +-- ImpossiblePosition      it can be read, but could not arise in play
    |   +-- IllegalMove             the square is taken, floating, off the board, or the game is over
    +-- TableError              a table can't be used
    |   +-- MissingTable            it is not there
    |   +-- DamagedTable            its bytes are not what was written
    |   +-- UnsupportedTable        it is not a table, or one of another version
    +-- EngineError             an engine that does not exist, or can't be made with these options
    +-- EngineFailed            an engine raised, answered with an illegal move, or did not answer in time
    +-- GraderError             an engine can't be graded, and that is not its own fault: no sandbox, a wrong setting
    +-- MissingExtra            what is asked for needs an extra that is not installed
    +-- PictureError            a picture can't be drawn legibly
    +-- StorageError            a folder can't be written, or the disk is full
    |   +-- DoesNotFit              a build needs more memory or disk than there is, and was not started
    +-- ClusterError            a cluster can't be reached, or can't run the tasks of a build
    +-- CheckFailed             a table disagrees with the rules of its game
    +-- BuildInterrupted        a build was stopped before its end

The message of an error is one sentence for a person: what was wrong, what was expected, what to do.
The class alone decides the exit code of a command and the status of an HTTP answer.
"""

__all__ = [
    "BuildInterrupted",
    "CheckFailed",
    "ClusterError",
    "DamagedTable",
    "DoesNotFit",
    "EngineError",
    "EngineFailed",
    "GraderError",
    "IllegalMove",
    "ImpossiblePosition",
    "MissingExtra",
    "MissingTable",
    "MnkError",
    "NotationError",
    "PictureError",
    "PositionError",
    "RulesError",
    "StorageError",
    "TableError",
    "UnsupportedTable",
]


class MnkError(Exception):
    """Base of all errors of this package; `str(error)` is one clear sentence."""

    exit_code: int = 1
    http_status: int = 500


class RulesError(MnkError):
    """The name of a game can't be read, its variants contradict each other, or its board is too large."""

    exit_code = 2
    http_status = 400


class PositionError(MnkError):
    """A position or a move makes no sense in its game."""

    exit_code = 2
    http_status = 400


class NotationError(PositionError):
    """The text, array or number can't be read as a position or a square."""


class ImpossiblePosition(PositionError):
    """The position can be read, but no order of legal moves leads to it."""


class IllegalMove(PositionError):
    """The move can't be played (or taken back) in this position."""


class TableError(MnkError):
    """A table can't be used."""

    exit_code = 3


class MissingTable(TableError):
    """There is no table for this game."""

    http_status = 404

    def __init__(self, message: str, build: str | None = None) -> None:
        super().__init__(message)
        self.build = build
        """The command that builds the table, None where the game is not known."""


class DamagedTable(TableError):
    """The table's content is not what its builder wrote."""

    exit_code = 4


class UnsupportedTable(TableError):
    """The file is not a table, or one of a version that this package does not read."""

    exit_code = 4


class EngineError(MnkError):
    """There is no such engine, or it can't be made with these options."""

    exit_code = 2
    http_status = 400


class EngineFailed(MnkError):
    """An engine raised an exception, answered with an illegal move, or did not answer in time."""

    exit_code = 3


class GraderError(MnkError):
    """An engine can't be graded, and that is not its own fault: there is no sandbox, or a setting is wrong."""

    exit_code = 2
    http_status = 400


class MissingExtra(MnkError):
    """What is asked for needs packages that come with an extra, and they are not installed."""


class PictureError(MnkError):
    """A picture can't be drawn so that it can be read."""

    exit_code = 2
    http_status = 400


class StorageError(MnkError):
    """A folder can't be written, or the disk is full."""

    exit_code = 5
    http_status = 507


class DoesNotFit(StorageError):
    """A build or a check needs more memory or disk than there is; nothing was started."""


class ClusterError(MnkError):
    """A cluster can't be reached, or can't run the tasks of a build."""

    exit_code = 5


class CheckFailed(MnkError):
    """A table disagrees with the rules of its game."""


class BuildInterrupted(MnkError):
    """A build was stopped before its end."""

    exit_code = 130
    http_status = 503


def missing_extra(what: str, extra: str, instead: str = "") -> MissingExtra:
    """Make the error to raise where an extra is not installed; `instead` is what can be done without it."""
    other = f", or {instead}" if instead else ""
    return MissingExtra(
        f"{what} needs the extra {extra!r}, which is not installed; "
        f"run `pip install '.[{extra}]'` in the project's folder{other}."
    )


def quoted(given: object, limit: int = 60) -> str:
    """Quote what the user gave in a short line, for a message."""
    try:
        text = str(given)
    except ValueError:  # Python refuses to print whole numbers of thousands of digits
        text = "a huge number"
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
