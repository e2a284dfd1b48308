"""Write a site: one folder with the page, the tables of some games, and the files that the page reads first."""

import json
from base64 import b64encode
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from solver.errors import StorageError
from solver.game.gallery import GALLERY, gallery_rank
from solver.game.games import ALIASES
from solver.study.answers import pictured_game
from solver.support.files import is_empty, whole_folder
from solver.support.progress import Progress
from solver.web.site.page import json_bytes, page_files, worker_script
from solver.web.site.table_files import MANIFEST, write_table_files

TABLES: Final = "tables"
INDEX: Final = f"{TABLES}/index.json"
MOST_SMALL: Final = 4_000_000
"""The most bytes in total of the tables that a browser keeps from the start. They also work without a host."""
MOST_WHOLE: Final = 16_777_216
"""The largest part that the page fetches whole; larger ones need HTTP ranges. As in js/tables/source.js."""

Manifests: TypeAlias = dict[str, dict[str, Any]]
"""The manifest of each table, by the name of its folder, in the order of the page."""


class Site(NamedTuple):
    """The size of a site, and whether any host can serve it."""

    files: int
    bytes: int
    largest_part: int  # bytes of the largest part of a table: hosts limit the size of files
    is_small: bool  # true if all its tables also work without a host


def write_site(tables: Sequence[Path], folder: Path, *, force: bool = False, progress: Progress | None = None) -> Site:
    """Write a folder that any static host can serve: the page, which reads its answers from these tables.

    tables: the files of the tables. progress: called with the number of bytes of tables read so far and the total. The
    folder appears when it is complete; `force` replaces an older site. Equal tables give equal files. Raises
    StorageError (the folder exists, or cannot be written), and the errors of opening and reading a table.
    """
    if force and folder.exists() and not is_empty(folder) and not (folder / INDEX).exists():
        raise StorageError(f"The folder {folder} is not a site, so it is not replaced; choose another.")
    with whole_folder(folder.resolve(), force=force) as part:
        manifests = _write_tables(tables, part / TABLES, progress or (lambda *_: None))
        by_size = sorted(manifests, key=lambda table: manifests[table]["bytes"])
        totals = accumulate(manifests[table]["bytes"] for table in by_size)
        small = [table for table, total in zip(by_size, totals, strict=True) if total <= MOST_SMALL]
        _write_page(part, manifests, small)
        sizes = [file.stat().st_size for file in part.rglob("*") if file.is_file()]
        largest = max((part / name).stat().st_size for table in manifests for name in _list_parts(manifests, table))
    return Site(len(sizes), sum(sizes), largest, is_small=len(small) == len(manifests))


def _write_tables(tables: Sequence[Path], folder: Path, progress: Progress) -> Manifests:
    sizes = [table.stat().st_size for table in tables]
    written: Manifests = {}
    for table, before, size in zip(tables, accumulate(sizes, initial=0), sizes, strict=False):

        def show(pages: int, of: int, before: int = before, size: int = size) -> None:
            progress(before + size * pages // of, sum(sizes))

        name = write_table_files(table, folder, progress=show).name
        written[name] = json.loads((folder / name / MANIFEST).read_bytes())

    def rank(name: str) -> tuple[int, int, str]:
        game = written[name]["game"]
        return gallery_rank(game["game"]), game["positions"], game["game"]

    return {name: written[name] for name in sorted(written, key=rank)}


def _list_parts(manifests: Manifests, table: str) -> list[str]:
    return [f"{TABLES}/{table}/{name}" for name in manifests[table]["parts"]]


def _write_page(folder: Path, manifests: Manifests, small: Sequence[str]) -> None:
    games = [manifest["game"] for manifest in manifests.values()]
    folders = {manifest["game"]["game"]: table for table, manifest in manifests.items()}
    pictured = [pictured_game(game, table=True) for game in GALLERY if game["game"] in folders]
    read_first = {
        INDEX: json_bytes({"games": games, "damaged": [], "folders": folders, "aliases": ALIASES}),
        "gallery.json": json_bytes({"games": pictured, "families": []}),  # no games to build: a visitor cannot
    }
    searches = any(manifest["opening_plies"] for manifest in manifests.values())
    page = {**page_files(searches=searches), **read_first}
    files = {table: f"{TABLES}/{table}/{MANIFEST}" for table in manifests}
    parts = [part for table in small for part in _list_parts(manifests, table)]
    marks = [manifest["parts"][0].partition("-")[0] for manifest in manifests.values()]
    without_host = {name: (folder / name).read_bytes() for name in [*map(files.__getitem__, small), *parts]}
    encoded = {name: b64encode(data).decode() for name, data in {**read_first, **without_host}.items()}
    kept = {**page, **{file: (folder / file).read_bytes() for file in files.values()}}
    others = {
        "worker.js": worker_script(kept, parts, marks),
        "files.js": b"globalThis.siteFiles = " + json_bytes(encoded).rstrip() + b";\n",
    }
    for name, data in {**page, **others}.items():
        (folder / name).write_bytes(data)
