"""Send frames of bytes through a pipe, a length of four bytes before each, and never read more than is allowed."""

import os
from collections.abc import Iterator
from struct import Struct
from typing import Final

_LENGTH: Final = Struct(">I")
_READS, _READ = 16, 1 << 16  # of one look, and bytes of each


def frame(body: bytes) -> bytes:
    """Return a frame."""
    return _LENGTH.pack(len(body)) + body


def write_all(file: int, data: bytes) -> None:
    """Write all of it, however long that takes."""
    while data:
        data = data[os.write(file, data) :]


def read_exactly(file: int, size: int) -> bytes:
    """Read so many bytes, however long that takes. Raises EOFError when there are no more."""
    data = b""
    while len(data) < size:
        chunk = os.read(file, size - len(data))
        if not chunk:
            raise EOFError
        data += chunk
    return data


def read_frame(file: int) -> bytes:
    """Read the body of a frame from somebody who is trusted. Raises EOFError when there are no more."""
    return read_exactly(file, *_LENGTH.unpack(read_exactly(file, _LENGTH.size)))


class FrameReader:
    """Reads the frames of somebody who is not trusted, without waiting for any."""

    def __init__(self, file: int, most: int) -> None:
        os.set_blocking(file, False)
        self._file, self._most = file, most
        self._data = b""

    def read(self) -> Iterator[bytes]:
        """Yield the frames that are there. Raises EOFError at the end, ValueError for a frame that is too long."""
        for _ in range(_READS):
            chunk = self._read_chunk()
            self._data += chunk
            while len(self._data) >= _LENGTH.size:
                [size] = _LENGTH.unpack_from(self._data)
                if size > self._most:
                    raise ValueError(f"{size:,} bytes at once")
                end = _LENGTH.size + size
                if len(self._data) < end:
                    break
                body, self._data = self._data[_LENGTH.size : end], self._data[end:]
                yield body
            if len(chunk) < _READ:
                return

    def _read_chunk(self) -> bytes:
        """What is there, b"" for nothing. Raises EOFError at the end."""
        try:
            chunk = os.read(self._file, _READ)
        except BlockingIOError:
            return b""
        if not chunk:
            raise EOFError
        return chunk
