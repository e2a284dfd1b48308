"""Write a site: the page, the tables of some games, and what the page reads first, in one folder."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

from solver.errors import StorageError
from solver.gallery import GALLERY, pictured_game
from solver.site.files import json_bytes
from solver.site.page import page_files, worker_script
from solver.site.tables import MANIFEST, PART_SIZE, write_table_files
from solver.support.files import whole_folder

TABLES: Final = "tables"
INDEX: Final = f"{TABLES}/index.json"
GALLERY_FILE: Final = "gallery.json"
MOST_SMALL: Final = 4_000_000
"""Bytes of tables together that a browser keeps whole, and that can be read from a disk."""
MOST_WHOLE: Final = 16_777_216
"""Bytes of a part that a page fetches whole where the host sends no pieces; js/tables/source.js says the same."""

Progress = Callable[[int, int], None]
"""Called with the bytes of tables that are read, and how many there are."""


class Site(NamedTuple):
    """A site that is written."""

    files: int
    bytes: int
    largest_part: int
    """Bytes of the largest part of a table: hosts limit what a file may have."""
    is_small: bool
    """Whether all its tables can be read from a disk too, without a server."""

    @property
    def needs_ranges(self) -> bool:
        """Whether it needs a host that sends pieces of files (HTTP ranges)."""
        return self.largest_part > MOST_WHOLE


class _Written(NamedTuple):
    """A table that is written."""

    folder: str
    manifest: dict[str, Any]

    @property
    def parts(self) -> list[str]:
        """The addresses of its parts."""
        return [f"{TABLES}/{self.folder}/{name}" for name in self.manifest["parts"]]

    @property
    def manifest_file(self) -> str:
        """The address of its manifest."""
        return f"{TABLES}/{self.folder}/{MANIFEST}"


def write_site(
    tables: Sequence[Path],
    folder: Path,
    *,
    part_size: int = PART_SIZE,
    force: bool = False,
    progress: Progress | None = None,
) -> Site:
    """Write a folder that any static host serves as it is: the page, which answers from these tables.

    tables: the files of tables. part_size: the most bytes of a part of a table. The folder appears when it is
    whole; `force` replaces an older site. The same tables give the same files. Raises MnkError (parts too small),
    StorageError (the folder exists, or can't be written), and what opening and reading a table raises.
    """
    if force and folder.exists() and not (folder / INDEX).exists():
        raise StorageError(f"The folder {folder} holds something else than a site, so it stays; choose another.")
    with whole_folder(folder.resolve(), force=force) as part:
        written = list(_write_tables(tables, part / TABLES, part_size, progress or (lambda *_: None)))
        written.sort(key=lambda table: (table.manifest["game"]["positions"], table.manifest["game"]["game"]))
        small = list(_choose_small(written))
        _write_page(part, written, small)
        sizes = [file.stat().st_size for file in part.rglob("*") if file.is_file()]
        largest = max((part / name).stat().st_size for table in written for name in table.parts)
    return Site(len(sizes), sum(sizes), largest, is_small=len(small) == len(written))


def _write_tables(tables: Sequence[Path], folder: Path, part_size: int, progress: Progress) -> Iterator[_Written]:
    sizes = [table.stat().st_size for table in tables]
    for table, before, size in zip(tables, accumulate(sizes, initial=0), sizes, strict=False):
        show = partial(_show_part, progress, before, size, sum(sizes))
        written = write_table_files(table, folder, part_size=part_size, progress=show)
        yield _Written(written.name, json.loads((written / MANIFEST).read_bytes()))


def _show_part(progress: Progress, before: int, size: int, total: int, pages: int, of: int) -> None:
    """Tell how many bytes of all tables are read, when so many pages are of one that has `size` bytes."""
    progress(before + size * pages // of, total)


def _choose_small(written: Sequence[_Written]) -> Iterator[_Written]:
    """Choose the smallest tables that have MOST_SMALL bytes together."""
    left = MOST_SMALL
    for table in sorted(written, key=lambda each: each.manifest["bytes"]):
        left -= table.manifest["bytes"]
        if left >= 0:
            yield table


def _write_page(folder: Path, written: Sequence[_Written], small: Sequence[_Written]) -> None:
    """Write all files but those of the tables."""
    read_first = {INDEX: json_bytes(_index(written)), GALLERY_FILE: json_bytes(_gallery(written))}
    page = {**page_files(), **read_first}
    manifests = {table.manifest_file: (folder / table.manifest_file).read_bytes() for table in written}
    parts = [part for table in small for part in table.parts]
    marks = [table.manifest["parts"][0].partition("-")[0] for table in written]
    on_disk = [*(table.manifest_file for table in small), *parts]
    others = {
        "worker.js": worker_script({**page, **manifests}, parts, marks),
        "files.js": _script_of(read_first | {name: (folder / name).read_bytes() for name in on_disk}),
    }
    for name, data in {**page, **others}.items():
        (folder / name).write_bytes(data)


def _index(written: Sequence[_Written]) -> dict[str, Any]:
    """Return what the API says of the games, and the folder of each."""
    games = [table.manifest["game"] for table in written]
    folders = {game["game"]: table.folder for game, table in zip(games, written, strict=True)}
    return {"games": games, "damaged": [], "folders": folders}


def _gallery(written: Sequence[_Written]) -> dict[str, Any]:
    """Return the gallery of the API, but what is not on the site: who looks at it can build nothing there."""
    names = {table.manifest["game"]["game"] for table in written}
    games = [pictured_game(entry, table=True) for entry in GALLERY if entry.rules.name in names]
    return {"games": games, "families": []}


def _script_of(files: dict[str, bytes]) -> bytes:
    """Return a script that holds files in base64: a page that is opened from a disk may fetch nothing else."""
    written = {name: b64encode(data).decode() for name, data in files.items()}
    return b"globalThis.siteFiles = " + json_bytes(written).rstrip() + b";\n"
