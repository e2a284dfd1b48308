"""The manifest of a table that is a folder of shards: what the whole says, and which pages lie in which file.

A table that is larger than a file should be is a folder, `mnk-4-7-4.shards`, of SQLite files with pages and
`manifest.json`:

    format      MANIFEST_FORMAT
    meta        the rows of `meta`, as in a file
    plies       the rows of `plies`, as in a file
    block       some squares that the symmetries of the rules map to each other
    shards      for each its file, the classes whose pages it holds, its pages, its bytes and its digest

A page is found by the *pattern* of its key: the squares of the block that are in the key, bit i for block[i]. The
class of a pattern is the smallest of its images under the symmetries. All pages of a class lie in one shard. The digest
of the table is the sum of those of its shards modulo 2**256, as that of a file is the sum over its pages.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from solver.errors import DamagedTable, TableError, UnsupportedTable
from solver.game.lines import mask_of
from solver.game.rules import MAX_SQUARES, Rules
from solver.store.codec import sum_digest
from solver.store.layout import Images
from solver.store.paths import MANIFEST, rebuild_command
from solver.store.schema import PLIES_COLUMNS

MANIFEST_FORMAT = 1  # raised whenever an older reader would misread a newer folder
MOST_BLOCK = 16  # squares


@dataclass(frozen=True)
class Shard:
    """One file of a folder."""

    file: str
    """Its name."""
    classes: tuple[int, ...]
    """The patterns of its pages, each the smallest of its images."""
    pages: int
    bytes: int
    digest: str
    """The sum of its pages' shares of the table's digest, as 64 hexadecimal digits."""

    @classmethod
    def read(cls, given: dict[str, Any]) -> Self:
        """Read a shard from JSON. Raises KeyError, TypeError or ValueError."""
        file, digest = given["file"], given["digest"]
        if Path(file).name != file or len(digest) != len(sum_digest(0)):
            raise ValueError(f"{file} and {digest} make no sense")
        int(digest, 16)
        return cls(file, tuple(map(int, given["classes"])), int(given["pages"]), int(given["bytes"]), digest)


@dataclass(frozen=True)
class Manifest:
    """The manifest of a folder."""

    meta: dict[str, str | None]
    plies: list[dict[str, int | None]]
    block: tuple[int, ...]
    shards: tuple[Shard, ...]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read and check the manifest in a folder, and that its shards are there and as long as they should be.

        Raises UnsupportedTable (there is none, or one of another version) and DamagedTable.
        """
        try:
            given = json.loads((folder / MANIFEST).read_bytes())
        except OSError as error:
            raise _no_manifest(folder, f"it can't be read: {error.strerror}") from error
        except ValueError as error:
            raise _no_manifest(folder, "it is not JSON") from error
        if not isinstance(given, dict) or not isinstance(given.get("format"), int):
            raise _no_manifest(folder, "it names no format")
        if given["format"] != MANIFEST_FORMAT:
            raise UnsupportedTable(
                f"The manifest of {folder} has format {given['format']}, but this program reads {MANIFEST_FORMAT}; "
                f"build the table again with `{rebuild_command(folder)}`, or use the program that built it."
            )
        try:
            manifest = cls(
                meta={str(key): None if value is None else str(value) for key, value in given["meta"].items()},
                plies=[{column: row[column] for column in PLIES_COLUMNS} for row in given["plies"]],
                block=tuple(map(int, given["block"])),
                shards=tuple(map(Shard.read, given["shards"])),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged_folder(folder, f"its manifest makes no sense ({error!r})") from error
        reason = manifest._reason_senseless() or manifest._reason_incomplete(folder)
        if reason:
            raise damaged_folder(folder, reason)
        return manifest

    def write(self, folder: Path) -> Path:
        """Write the manifest into a folder, and return its path."""
        shards = [asdict(shard) for shard in self.shards]
        facts = {"format": MANIFEST_FORMAT, "meta": self.meta, "plies": self.plies, "block": self.block}
        path = folder / MANIFEST
        path.write_text(json.dumps({**facts, "shards": shards}, indent=1) + "\n", encoding="utf-8")
        return path

    def _reason_senseless(self) -> str | None:
        """Say in a clause what in the manifest contradicts itself; None if nothing does."""
        classes = [number for shard in self.shards for number in shard.classes]
        if len(set(classes)) != len(classes) or len({shard.file for shard in self.shards}) != len(self.shards):
            return "its manifest names a class or a file twice"
        if len(set(self.block)) != len(self.block) or not set(self.block) <= set(range(MAX_SQUARES)):
            return "the block in its manifest is not a set of squares"
        if len(self.block) > MOST_BLOCK:
            return f"the block in its manifest has more than {MOST_BLOCK} squares"
        if self.meta.get("storage") != "pages":
            return "its manifest does not say that it holds pages"
        if sum_digest(sum(int(shard.digest, 16) for shard in self.shards)) != self.meta.get("digest"):
            return "the digests of its shards do not add up to its own"
        return None

    def _reason_incomplete(self, folder: Path) -> str | None:
        """Say in a clause which shard is missing or not as long as it should be; None if all are."""
        for shard in self.shards:
            try:
                size = (folder / shard.file).stat().st_size
            except OSError as error:
                return f"its shard {shard.file} can't be read: {error.strerror}"
            if size != shard.bytes:
                return f"its shard {shard.file} has {size} of its {shard.bytes} bytes"
        return None


def class_of(rules: Rules, block: tuple[int, ...]) -> Callable[[int], int]:
    """Make the function that finds the class of a page from its key, as `game.block.Block` does for arrays of keys.

    It does without NumPy, because a query then starts much faster. Raises ValueError unless the symmetries of the rules
    map the squares of the block to each other.
    """
    place = {square: i for i, square in enumerate(block)}
    try:
        moved = {tuple(place[g[square]] for square in block) for g in rules.symmetries}
    except (IndexError, KeyError) as error:
        raise ValueError(f"the squares {block} are no block of {rules}") from error
    images, mask = Images(len(block), sorted(moved)), mask_of(block)
    classes: dict[int, int] = {}  # by what of a key lies on the block

    def find(key: int) -> int:
        on_block = key & mask
        if on_block not in classes:
            pattern = sum((on_block >> square & 1) << i for square, i in place.items())
            classes[on_block] = images.canonical(pattern)[0]
        return classes[on_block]

    return find


def damaged_folder(folder: Path, reason: str) -> DamagedTable:
    """Make the error that says what is wrong with a folder, and what to do."""
    again = rebuild_command(folder)
    return DamagedTable(f"The table {folder} is damaged: {reason}; copy it anew, or build it again with `{again}`.")


def _no_manifest(folder: Path, reason: str) -> TableError:
    path, again = folder / MANIFEST, rebuild_command(folder)
    return UnsupportedTable(f"The file {path} is not the manifest of a table, {reason}; `{again}` builds the table.")
