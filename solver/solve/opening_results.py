"""Keep the results of the search for an opening table in a file, from which an interrupted build resumes.

    a line of JSON      the game, the ply, and a digest of the positions in their order
    blocks              for each BLOCK positions, an int8 for each: the plies to the end if the side to move wins, their
                        negative if it loses, 0 for a draw; then the CRC-32 of these bytes (4 bytes, little-endian)

Blocks are appended in order. Bytes after the last whole block are dropped when a build resumes.
"""

from __future__ import annotations

import json
import sys
import zlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from solver.errors import StorageError
from solver.store.disk import disk_errors_reported

BLOCK = 512
"""Positions of a block: one takes a thread about a second on 6,7,4,gravity at ply 12."""

_CRC_BYTES = 4

Plies = npt.NDArray[np.int8]


class OpeningResults(AbstractContextManager["OpeningResults"]):
    """The file of results of one build, locked against other processes.

    Raises StorageError if the file cannot be written, or another process is building the same table.
    """

    def __init__(self, path: Path, facts: dict[str, object], positions: int) -> None:
        self.path = path
        self._sizes = [min(BLOCK, positions - first) for first in range(0, positions, BLOCK)]
        header = json.dumps(facts).encode() + b"\n"
        with disk_errors_reported(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        try:
            _lock(self._file, path)
            with disk_errors_reported(path.parent):
                self._found = self._read(header)
        except BaseException:
            self._file.close()
            raise

    @property
    def blocks(self) -> int:
        """The number of blocks found so far."""
        return len(self._found)

    @property
    def missing(self) -> range:
        """The numbers of the blocks to find."""
        return range(len(self._found), len(self._sizes))

    def add(self, plies: Plies) -> None:
        """Append the next block."""
        data = plies.tobytes()
        with disk_errors_reported(self.path.parent):
            self._file.write(data + _crc(data))
            self._file.flush()
        self._found.append(data)

    def all(self) -> Plies:
        """Return the results of all positions found so far."""
        return np.frombuffer(b"".join(self._found), dtype=np.int8)

    def remove(self) -> None:
        """Remove the file after the table is written."""
        with disk_errors_reported(self.path.parent):
            self.path.unlink()

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self, header: bytes) -> list[bytes]:
        """Read the whole blocks of an earlier build, if it was for the same positions, and drop the rest."""
        self._file.seek(0)
        found: list[bytes] = []
        if self._file.readline() == header:
            for size in self._sizes:
                data, crc = self._file.read(size), self._file.read(_CRC_BYTES)
                if len(data) < size or crc != _crc(data):
                    break
                found.append(data)
            self._file.truncate(len(header) + sum(len(data) + _CRC_BYTES for data in found))
        else:
            self._file.truncate(0)
            self._file.write(header)
        self._file.flush()
        return found


def results_path(target: Path, plies: int) -> Path:
    """Return the path of the results for an opening table."""
    return target.with_name(f"{target.name}.{plies}-plies.results")


def _crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_CRC_BYTES, "little")


def _lock(file: BinaryIO, path: Path) -> None:
    if sys.platform == "win32":  # which has no advisory locks
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StorageError(
            f"Another process is building the table of {path}; wait for it, or choose another folder with --data."
        ) from error
