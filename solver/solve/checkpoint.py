"""Keep the finished levels of a build beside its table, so that an interrupted build can be resumed.

A folder `<table>.<something>.<metric>.build` holds

    lock            locked by the process that builds
    pages           all packed pages so far, in the order of solving
    index           the key and the length of each, 8 bytes each
    kept-LEVEL.npy  the pages that the next level reads
    state.json      the number of finished levels, the length of `pages` and `index` then, the digest, the tallies

`state.json` is renamed into place when the others are on the disk, so a build that is killed at any moment leaves
the state after a finished level, from which the next build of the same table resumes. A level is written to the disk
while the next one is solved.
"""

import json
import mmap
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import Any, Final, NamedTuple, Self, TextIO

import numpy as np
import numpy.typing as npt

from solver import __version__
from solver.errors import CheckFailed
from solver.game.game_files import write_rules
from solver.game.rules import Rules
from solver.store.btree import BATCH, Rows
from solver.store.disk import disk_errors_reported, sync
from solver.store.schema import FORMAT, Metric

EVERY = 5.0  # the least number of seconds between checkpoints

INDEX_ENTRY: Final = np.dtype([("key", "<i8"), ("length", "<i8")])
_STATE: Final = "state.json"

State = dict[str, Any]


class Packed(NamedTuple):
    """Compressed pages."""

    entries: npt.NDArray[Any]  # keys and lengths, of INDEX_ENTRY
    data: bytes  # the pages, one after the other
    digest: int  # the sum of their shares of the digest


class Checkpoint:
    """The unfinished build of a table, which resumes an interrupted one if possible; a context manager.

    At the end the folder is removed if the table was written, if it is wrong, or if no level was finished. Raises
    StorageError if the folder can't be written or the disk is full.
    """

    def __init__(self, target: Path, rules: Rules, metric: Metric) -> None:
        self._target = target
        self._made_by = _made_by(rules, metric)
        self._last = monotonic()
        with self._reported():
            target.parent.mkdir(parents=True, exist_ok=True)
            self.folder, self._lock, self.state = self._take_over() or self._begin(metric)
            for kept in self.folder.glob("kept-*.npy"):
                if kept != self._kept_path():
                    kept.unlink()
            self._pages, self._index = ((self.folder / name).open("ab") for name in ("pages", "index"))
            for name, file in (("pages", self._pages), ("index", self._index)):
                file.truncate(self.state[name])  # to its size after the last finished level
                file.seek(0, os.SEEK_END)
        self._writer = ThreadPoolExecutor(1)
        self._written: Future[None] | None = None
        self.digest = int(self.state["digest"], 16)

    @property
    def levels(self) -> int:
        """Return the number of finished levels."""
        return int(self.state["levels"])

    def add(self, packed: Packed) -> None:
        """Append pages."""
        with self._reported():
            self._pages.write(packed.data)
            self._index.write(packed.entries.tobytes())
        self.digest += packed.digest

    def level_done(self, levels: int, kept: npt.NDArray[np.uint64], tallies: Mapping[str, Sequence[int]]) -> None:
        """Record the number of finished levels, unless the last checkpoint is less than EVERY seconds old.

        `kept` must stay unchanged until the next level is finished. Errors of writing are raised then.
        """
        self.wait()
        if monotonic() - self._last < EVERY:
            return
        with self._reported():
            sizes = {}
            for name, file in (("pages", self._pages), ("index", self._index)):
                file.flush()
                sizes[name] = file.tell()
        state = {"levels": levels, **sizes, "digest": f"{self.digest:x}", "tallies": tallies}
        self._written = self._writer.submit(self._write, kept, state)
        self._last = monotonic()

    def _write(self, kept: npt.NDArray[np.uint64], state: State) -> None:
        """Write the state after a level to the disk."""
        with self._reported():
            path = self.folder / f"kept-{state['levels']}.npy"
            _save(path, kept)
            for name in (path.name, "pages", "index"):
                sync(self.folder / name)
            fresh = self.folder / "state.part"
            fresh.write_text(json.dumps(self._made_by | state), encoding="utf-8")
            sync(fresh)
            fresh.replace(self.folder / _STATE)
            for folder in (self.folder, self.folder.parent):
                sync(folder)
            self._kept_path().unlink(missing_ok=True)
        self.state = state

    def wait(self) -> None:
        """Wait until the last level is on the disk. Raises the error if that failed."""
        written, self._written = self._written, None
        if written:
            written.result()

    def restore(self, kept: npt.NDArray[np.uint64]) -> None:
        """Fill `kept` with the kept pages of the last finished level."""
        with self._reported():
            kept[...] = np.load(self._kept_path(), mmap_mode="r")

    def pages_by_key(self) -> "PackedPages":
        """Return all pages so far, ascending by key."""
        with self._reported():
            self._pages.flush()
            self._index.flush()
            index = np.fromfile(self.folder / "index", dtype=INDEX_ENTRY)
        return PackedPages([PackedStream(self.folder / "pages", index, 0)])

    def _take_over(self) -> tuple[Path, TextIO, State] | None:
        """Return the folder of the interrupted build with the most levels, and remove all others."""
        found = list(_left_behind(self._target, self._made_by))
        states = {folder: state for folder, _, state in found if state}
        best = max(states, key=lambda folder: states[folder]["levels"], default=None)
        for folder, lock, _ in found:
            if folder != best:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()
        return next(((folder, lock, states[folder]) for folder, lock, _ in found if folder == best), None)

    def _begin(self, metric: Metric) -> tuple[Path, TextIO, State]:
        folder = Path(mkdtemp(f".{metric}.build", f"{self._target.name}.", self._target.parent))
        lock = _locked(folder)
        assert lock, "no other process knows this folder"
        return folder, lock, {"levels": 0, "pages": 0, "index": 0, "digest": "0", "tallies": {}}

    def _kept_path(self) -> Path:
        return self.folder / f"kept-{self.levels}.npy"

    def _reported(self) -> AbstractContextManager[None]:
        return disk_errors_reported(self._target.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._writer.shutdown()  # otherwise a half-written state would be lost
        for file in (self._pages, self._index):
            with suppress(OSError):  # already reported
                file.close()
        if error is None or isinstance(error, CheckFailed) or not self.levels:
            shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.close()


class PackedStream(NamedTuple):
    """A file of packed pages, one after the other."""

    path: Path
    entries: npt.NDArray[Any]  # of INDEX_ENTRY
    first: int  # the byte at which they begin


class PackedPages:
    """The pages of a finished build; iterating yields all of them, ascending by key."""

    def __init__(self, streams: Sequence[PackedStream]) -> None:
        self._paths = [stream.path for stream in streams]
        entries = np.concatenate([stream.entries for stream in streams])
        self.keys, self._lengths = entries["key"], entries["length"]
        self._starts = np.concatenate(
            [stream.first + stream.entries["length"].cumsum() - stream.entries["length"] for stream in streams]
        )
        self._streams = np.repeat(np.arange(len(streams)), [stream.entries.size for stream in streams])

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[Rows]:
        return self.read(np.argsort(self.keys))

    def read(self, order: npt.NDArray[np.int64]) -> Iterator[Rows]:
        """Yield the pages at these places in `keys`."""
        batches = self._lengths[order].cumsum() // BATCH
        bounds = [0, *(np.flatnonzero(np.diff(batches)) + 1).tolist(), order.size]
        with ExitStack() as stack:
            needed = np.flatnonzero(np.bincount(self._streams[order])).tolist()
            maps = {stream: stack.enter_context(_mapped(self._paths[stream])) for stream in needed}
            for first, last in pairwise(bounds):
                chosen = order[first:last]
                lengths, starts = self._lengths[chosen], self._starts[chosen]
                places = zip(self._streams[chosen].tolist(), starts.tolist(), (starts + lengths).tolist(), strict=True)
                blobs = b"".join([maps[stream][start:end] for stream, start, end in places])
                yield Rows(self.keys[chosen], lengths, blobs)


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def levels_done(target: Path, rules: Rules, metric: Metric) -> int:
    """Return the number of levels that an interrupted build of this table has finished, 0 if there is none."""
    levels = [0]
    for _, lock, state in _left_behind(target, _made_by(rules, metric)):
        levels.append(state["levels"] if state else 0)
        lock.close()
    return max(levels)


def bytes_left(target: Path, rules: Rules, metric: Metric) -> int:
    """Return the bytes of interrupted builds of this table, which the next build takes over or removes."""
    total = 0
    for folder, lock, _ in _left_behind(target, _made_by(rules, metric)):
        total += sum(file.stat().st_size for file in folder.iterdir())
        lock.close()
    return total


def _left_behind(target: Path, made_by: State) -> Iterator[tuple[Path, TextIO, State | None]]:
    """Yield the folders of interrupted builds of a table, each locked, with its state if it can be resumed."""
    for folder in sorted(target.parent.glob(f"{target.name}.*.{made_by['metric']}.build")):
        lock = _locked(folder)
        if lock:
            yield folder, lock, _state(folder, made_by)


def _locked(folder: Path) -> TextIO | None:
    """Lock a folder until this process ends; return None if another process has locked or removed it."""
    try:
        lock = (folder / "lock").open("w", encoding="ascii")
    except OSError:
        return None
    if sys.platform != "win32":  # which has no advisory locks
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return None
    return lock


def _made_by(rules: Rules, metric: Metric) -> State:
    """Return the facts that two builds must share for one to resume the other."""
    return {"rules": write_rules(rules), "metric": metric, "format": FORMAT, "builder": __version__}


def _state(folder: Path, made_by: State) -> State | None:
    """Read `state.json`; None if it is missing or damaged, or belongs to another build."""
    try:
        state: State = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        kept = (folder / f"kept-{state['levels']}.npy").exists()
        whole = kept and all((folder / name).stat().st_size >= state[name] for name in ("pages", "index"))
        return state if whole and made_by.items() <= state.items() else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _save(path: Path, kept: npt.NDArray[np.uint64]) -> None:
    """Save an array as numpy.save does, but raise the system's error if the disk is full."""
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(kept))
        file.write(kept.reshape(-1).view(np.uint8).data)
