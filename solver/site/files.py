"""Write files of a site: data cut into parts of one size, JSON, and names with a hash."""

import json
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

_MARK: Final = 12  # hexadecimal digits


def mark_of(data: bytes) -> str:
    """Return what tells bytes from others and is short enough for the name of a file."""
    return sha256(data).hexdigest()[:_MARK]


def json_bytes(value: object) -> bytes:
    """Write JSON in one line."""
    return (json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


class PartWriter:
    """Takes bytes one after another. Every part but the last has `part_size` bytes."""

    def __init__(self, folder: Path, part_size: int) -> None:
        self.bytes = 0
        self._folder = folder
        self._part_size = part_size
        self._hash = sha256()
        self._files: list[Path] = []
        self._file: BinaryIO | None = None

    def write(self, data: bytes) -> None:
        """Append bytes; they may begin in one part and end in the next."""
        self._hash.update(data)
        while data:
            room = self._part_size - self.bytes % self._part_size
            piece, data = data[:room], data[room:]
            self._file_with(room).write(piece)
            self.bytes += len(piece)

    def finish(self) -> list[str]:
        """Close the files and return their names, in order.

        The names hold a hash of all that was written: so no cache, of a browser or on the way, takes parts of one
        version for those of another.
        """
        self.close()
        mark = self._hash.hexdigest()[:_MARK]
        return [path.rename(path.with_name(f"{mark}-{path.name}")).name for path in self._files]

    def close(self) -> None:
        """Close the file that is being written."""
        if self._file is not None:
            self._file.close()

    def _file_with(self, room: int) -> BinaryIO:
        """Return the file that is being written, or the next where that one is full."""
        if self._file is None or room == self._part_size:
            self.close()
            self._files.append(self._folder / f"{len(self._files)}.bin")
            self._file = self._files[-1].open("wb")
        return self._file
