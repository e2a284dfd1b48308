"""The standard streams of commands: they hold any text, and a closed stream or a full disk has a clear end."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper, UnsupportedOperation
from typing import Any, Final

from solver.errors import StorageError

_NAMES: Final = ("stdin", "stdout", "stderr")
_ERRORS: Final = "backslashreplace"


@contextmanager
def standard_streams() -> Iterator[None]:
    """A context for a command, in which standard input, output and error are open.

    Characters and bytes outside the encoding of a stream become escapes such as `\\u2026`. Closed standard input is
    empty. Writing to standard output raises StorageError if it is closed or its disk is full; what follows is dropped,
    so that Python can exit. Messages are dropped if standard error cannot be written.
    """
    before = [getattr(sys, name) for name in _NAMES]
    try:
        sys.stdin, sys.stdout, sys.stderr = map(_open, range(len(_NAMES)), before)
        yield
    finally:
        with suppress(OSError, StorageError):
            sys.stdout.flush()
        for name, stream in zip(_NAMES, before, strict=True):
            if stream is None:
                getattr(sys, name).close()
            setattr(sys, name, stream)


def _open(number: int, stream: Any) -> Any:
    """Return the stream to use as the standard stream with this number. stream: the present one; None if closed."""
    encoding = "utf-8"
    if stream is None:  # take its number; otherwise, the next file to be opened would get it
        null = os.open(os.devnull, os.O_WRONLY if _NAMES[number] == "stderr" else os.O_RDONLY)
        file = _Standard(null, "w" if number else "r")
    elif not isinstance(stream, TextIOWrapper):
        return stream
    else:
        with suppress(UnsupportedOperation):  # something was read before
            stream.reconfigure(errors=_ERRORS)
        if not number or stream.isatty() or not _has_number(stream, number):
            return stream
        stream.flush()
        file, encoding = _Standard(number, "w", closefd=False), stream.encoding
    file.is_output = _NAMES[number] == "stdout"
    buffer = BufferedWriter(file) if number else BufferedReader(file)
    return TextIOWrapper(buffer, encoding, _ERRORS, line_buffering=not file.is_output)


def _has_number(stream: TextIOWrapper, number: int) -> bool:
    try:
        return stream.fileno() == number
    except (OSError, ValueError):
        return False


class _Standard(FileIO):
    """A standard stream of this process, which fails at most once."""

    is_output = False
    failed = False

    def write(self, data: Any) -> int:
        """Write bytes; drop them after a failure, and on standard error at a failure."""
        if not self.failed:
            try:
                return super().write(data)
            except OSError as error:
                self.failed = True
                if self.is_output and isinstance(error, BrokenPipeError):
                    raise  # the reader has closed it: click ends quietly
                if self.is_output:
                    raise StorageError(
                        f"Standard output can't be written: {error.strerror}; redirect it to a disk with free space."
                    ) from error
        return len(data)
