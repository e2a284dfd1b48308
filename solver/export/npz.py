"""Write NumPy's .npz: one array a column, each gathered in a file without a name and then packed.

The arrays lie in a zip one after another, and how long they are stands before each of them; so the columns wait on the
disk, not in memory. See `numpy.lib.format`.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from solver.export.positions import Chunk
from solver.game.arrays import digits
from solver.game.rules import Rules

__all__ = ["open_npz"]

# The arrays and their types; P positions each, `board` P by squares. What they hold stands in the README.
_TYPES = {
    "hash": "<i8",
    "board": "|u1",
    "ply": "|u1",
    "to_move": "|u1",
    "wdl": "|i1",
    "distance": "<i2",
    "best_moves": "<u4",
    "terminal": "|b1",
}


@contextmanager
def open_npz(path: Path, rules: Rules, metadata: dict[str, str]) -> Iterator[Callable[[Chunk], None]]:
    """Give a function that takes a chunk; the file is written at the end, if nothing was raised.

    Each item of `metadata` becomes an array of one text.
    """
    with ExitStack() as stack:
        columns = {name: stack.enter_context(tempfile.TemporaryFile(dir=path.parent)) for name in _TYPES}
        count = 0

        def write(chunk: Chunk) -> None:
            nonlocal count
            count += len(chunk.hashes)
            for name, array in _make_arrays(rules, chunk).items():
                columns[name].write(np.ascontiguousarray(array, _TYPES[name]).data)

        yield write
        with zipfile.ZipFile(path, "w") as archive:  # not compressed, which would take longer than all the rest
            for name, column in columns.items():
                column.seek(0)
                shape = (count, rules.squares) if name == "board" else (count,)
                # An entry made like this bears no time, so that the same table gives the same file.
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    header = {"descr": _TYPES[name], "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(member, header)
                    shutil.copyfileobj(column, member, 1 << 20)
            for name, text in metadata.items():
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w") as member:
                    np.lib.format.write_array(member, np.array(text), allow_pickle=False)


def _make_arrays(rules: Rules, chunk: Chunk) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    count = len(chunk.hashes)
    return {
        "hash": chunk.hashes,
        "board": digits(rules, chunk.hashes),
        "ply": np.full(count, chunk.ply),
        "to_move": np.full(count, 1 + chunk.ply % 2),
        "wdl": chunk.wdl,
        "distance": chunk.distance,
        "best_moves": chunk.best,
        "terminal": chunk.terminal,
    }
