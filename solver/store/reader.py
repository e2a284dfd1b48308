"""Read a table, and reject invalid files: nothing in a file is trusted before it is checked.

`SqliteContent` knows SQLite but not games. `TableReader` checks the data of any `TableContent`, so that tests can use
damaged data.
"""

import re
from collections.abc import Iterable, Mapping
from math import comb
from pathlib import Path
from typing import Protocol

from solver.errors import DamagedTable, RulesError
from solver.game.game_files import is_file_game, read_rules
from solver.game.games import parse_game
from solver.game.rules import MAX_SQUARES, Rules
from solver.store import schema
from solver.store.codec import CRC_BYTES, CodecError, dense_checksum, unpack_page
from solver.store.layout import layout_of
from solver.store.paths import rebuild_command
from solver.store.schema import Metric, Storage

MAX_OPENING_PLIES = 20  # the most plies of an opening table: a page with one more ply would exceed about 100 kB

_COUNTS = ("positions", "canonical", "symmetries")


class TableContent(Protocol):
    """The unchecked content of a table, for example in a file. Methods raise DamagedTable for unreadable data."""

    path: Path  # for messages

    def meta(self) -> Mapping[object, object]:
        """Return the rows of `meta`."""

    def plies(self) -> list[dict[str, object]]:
        """Return the rows of `plies`, sorted by ply."""

    def codes(self) -> Iterable[tuple[int, int]]:
        """Return (hash, code) of each row of `positions`, with codes as in `schema.dense_code`."""

    def page(self, key: int) -> object:
        """Return the data of a page, or None if it is missing."""

    def limit_pages(self, size: int) -> None:
        """Refuse pages of more than `size` bytes and more than a megabyte."""

    def close(self) -> None:
        """Free the resources."""


class TableReader:
    """The checked content of one table.

    Raises DamagedTable, and closes the content, unless `meta` is complete and consistent and names the game `expected`,
    and `plies` has a row of numbers for each ply.
    """

    def __init__(self, content: TableContent, expected: Rules | None = None) -> None:
        self._content = content
        self.path = content.path
        try:
            self.meta = self._read_meta()
            self.rules = self._read_rules(expected)
            self.metric: Metric = next(metric for metric in schema.METRICS if metric == self.meta["metric"])
            self.storage: Storage = next(storage for storage in schema.STORAGES if storage == self.meta["storage"])
            self.opening_plies = self._read_opening_plies()  # the last ply of an opening table, None for a whole table
            self._check_size()
            self._plies = self._read_plies()
            self.layout = layout_of(self.rules, self.metric)  # the geometry of the table's pages
            if self.storage == "pages":
                content.limit_pages(self.layout.largest_page(self.opening_plies) + CRC_BYTES)
        except BaseException:
            content.close()
            raise

    def plies(self) -> list[dict[str, int | None]]:
        """Return the statistics of each ply: a dict with the keys of `schema.PLIES_COLUMNS`."""
        return [{**row} for row in self._plies]

    def dense(self) -> bytes:
        """Return the dense array; see `schema.dense_code`. Raises DamagedTable if its checksum is wrong."""
        dense = bytearray([schema.UNREACHABLE]) * 3**self.rules.squares
        try:
            for number, code in self._content.codes():
                dense[number] = code
        except (IndexError, TypeError, ValueError) as error:
            raise self.damaged("a row of positions is invalid") from error
        if dense_checksum(dense) != self.meta["checksum"]:
            raise self.damaged("the checksum of its positions is wrong")
        return bytes(dense)

    def page(self, key: int) -> bytes:
        """Return the raw page with this key. Raises DamagedTable if it is missing or damaged."""
        return self.unpack(key, self.packed_page(key))

    def packed_page(self, key: int) -> bytes:
        """Return the stored form of the page with this key. Raises DamagedTable if the page is missing or no blob."""
        data = self._content.page(key)
        if data is None:
            raise self.damaged(f"page {key} is missing")
        if not isinstance(data, bytes):
            raise self.damaged(f"page {key} is not a blob")
        return data

    def close(self) -> None:
        """Close the content; further reading fails."""
        self._content.close()

    def damaged(self, reason: str) -> DamagedTable:
        """Return the error for this table, with a reason and the command that rebuilds it."""
        again = rebuild_command(self.path)
        return DamagedTable(f"The table {self.path} is damaged: {reason}; build it again with `{again}`.")

    def unpack(self, key: int, data: bytes) -> bytes:
        """Return the raw page whose stored form is `data`. Raises DamagedTable if it is damaged."""
        try:
            return unpack_page(data, self.layout.page_size(key).raw_bytes)
        except CodecError as error:
            raise self.damaged(f"page {key} can't be read, {error}") from error

    def _read_meta(self) -> dict[str, str | None]:
        meta = dict[str, str | None]()
        for name, value in self._content.meta().items():
            if not (isinstance(name, str) and isinstance(value, str | None)):
                raise self.damaged(f"its meta says {name} = {str(value)[:40]!r}, which is not text")
            meta[name] = value
        absent = [key for key in schema.META_KEYS if key not in meta]
        if absent:
            raise self.damaged(f"its meta lacks {', '.join(absent)}")
        patterns = {
            **dict.fromkeys(_COUNTS, r"\d{1,18}"),
            "format": str(schema.FORMAT),
            "metric": "|".join(schema.METRICS),
            "storage": "|".join(schema.STORAGES),
            "root_wdl": "-1|0|1",
            "root_distance": r"\d{1,3}" if meta["metric"] == "distance" else "None",
            "digest": "[0-9a-f]{32}",
            "builder": r"[\w.+-]{1,40}",
            "checksum": "[0-9a-f]{8}" if meta["storage"] == "positions" else "None",
        }
        for key, pattern in patterns.items():
            if not re.fullmatch(pattern, str(meta[key]), re.ASCII):
                raise self.damaged(f"its meta says {key} = {str(meta[key])[:40]!r}")
        return meta

    def _read_plies(self) -> list[dict[str, int | None]]:
        plies = list[dict[str, int | None]]()
        last = self.rules.plies if self.opening_plies is None else self.opening_plies
        for row in self._content.plies():
            checked: dict[str, int | None] = {
                name: value for name, value in row.items() if type(value) is int and value >= 0
            }
            if row["longest"] is None:
                checked["longest"] = None
            ply = len(plies)
            if checked.keys() != row.keys() or checked["ply"] != ply or not self._are_possible(checked):
                raise self.damaged(f"its table plies has an invalid row for ply {ply}")
            plies.append(checked)
        if len(plies) != last + 1:
            raise self.damaged(f"its table plies has {len(plies)} rows instead of {last + 1}")
        return plies

    def _are_possible(self, row: Mapping[str, int | None]) -> bool:
        """Return False if no game has these statistics of a ply; other code draws positions in proportion to them."""
        ply, positions, terminal = row["ply"] or 0, row["positions"] or 0, row["terminal"] or 0
        most = comb(self.rules.squares, ply) * comb(ply, ply // 2)
        is_last = ply == self.rules.plies
        ends = terminal == positions if is_last else terminal <= positions if ply else (positions, terminal) == (1, 0)
        return ends and positions <= most and (row["longest"] or 0) <= self.rules.plies

    def _read_rules(self, expected: Rules | None) -> Rules:
        name = str(self.meta["game"])
        try:
            known = None if is_file_game(name) else parse_game(name)
            rules = known if known and known.rectangle else read_rules(self.meta.get(schema.RULES_KEY) or name)
        except RulesError as error:
            raise self.damaged(f"its meta says game = {name[:40]!r}") from error
        if rules.name != name or (expected and not expected.is_same_game(rules)):
            raise self.damaged(f"its meta says game = {name[:40]!r}, not {(expected or rules).name!r}")
        return rules

    def _read_opening_plies(self) -> int | None:
        plies = self.meta.get(schema.PLIES_KEY)
        if plies is None:
            return None
        if self.storage != "pages" or not re.fullmatch(r"\d{1,2}", plies, re.ASCII) or int(plies) > MAX_OPENING_PLIES:
            raise self.damaged(f"its meta says {schema.PLIES_KEY} = {plies[:40]!r}")
        return int(plies)

    def _check_size(self) -> None:
        """Raise DamagedTable if reading the table would need more memory than reading any valid table."""
        squares = self.rules.squares
        if self.opening_plies is None and squares > (
            schema.POSITIONS_LIMIT if self.storage == "positions" else MAX_SQUARES
        ):
            raise self.damaged(f"a board of {squares} squares can't be kept as {self.storage}")
        if self.storage == "pages" and int(self.meta["symmetries"] or 0) != self.rules.symmetries.order:
            raise self.damaged(f"its meta says symmetries = {self.meta['symmetries']}")
