"""The file of a strategy, such as `mnk-6-6-4.strategy.sqlite`: a claim about a game, and the moves that prove it.

A strategy belongs to one side. It has a row for each position with that side to move that can arise when the side
follows it, unless a short search finds the move again: a win by continuous fours, or a pairing (see
docs/explanation/proofs.md). A position stands for all its images, and its row has the image with the least base-3 hash.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import lru_cache, partial
from os.path import exists, isfile
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

from solver.errors import DamagedTable, MissingTable, RulesError, TableError, UnsupportedTable, quoted
from solver.game.game_files import read_rules, write_rules
from solver.game.lines import squares_of
from solver.game.rules import OTHER, Rules, Side, derived
from solver.game.symmetry import Permutation
from solver.store.disk import disk_errors_reported, sync
from solver.store.untrusted import VALUE_BYTES, UntrustedFile, read_marks
from solver.support.files import process_path, put_in_place

Claim = Literal["wins", "holds"]
"""`wins`: the side completes a line. `holds`: the other side never completes one."""

APPLICATION_ID: Final = 0x6D6E6B53  # "mnkS"
FORMAT: Final = 2

_MOST_SYMMETRIES: Final = 512  # of a larger group, a subgroup is used
_COLUMNS: Final[dict[str, dict[str, type]]] = {
    "meta": {"key": str, "value": str},
    "moves": {
        "position": bytes,  # the base-3 hash, big-endian, of the canonical position
        "move": int,
        "within": int,  # plies within which the side wins; NULL if it holds
    },
}
_KEYS: Final = (
    "game", "rules", "side", "claim", "within", "leaves", "method", "pairs", "rows", "format", "builder", "digest"
)  # fmt: skip
_MOST_FACTS: Final = 32  # rows of `meta`
_LEAST_BYTES: Final = 6  # of a row of `moves`
_MOST: Final = 10**12  # of any number in `meta`
_LONGEST_TEXT: Final = 200  # of the other texts


class Row(NamedTuple):
    """A move of a strategy."""

    hash: int
    """The base-3 hash of the canonical position."""
    move: int
    """The square of the move, in the canonical position."""
    within: int | None
    """The plies within which the side wins at the latest, an estimate in an unfinished proof; None if it holds."""


class Header(NamedTuple):
    """The claim of a strategy: that a side wins or holds from the empty board, or wins from its rows only."""

    side: Side
    claim: Claim
    within: int | None
    """The plies within which the side wins at the latest; None if it holds, or if the proof of a win is unfinished."""
    leaves: int
    """The positions that the strategy leaves out because a short search finds the move."""
    method: str
    """How it was proved, in words."""
    pairs: tuple[tuple[int, int], ...] | None = None
    """A pairing of the empty board with which the side holds without any row; None if there is none."""

    def __str__(self) -> str:
        if self.is_unfinished:
            return f"{self.side} wins from the stored positions, and the empty board is open"
        if self.claim == "wins":
            return f"{self.side} wins within {self.within} plies"
        return f"{self.side} holds: {OTHER[self.side]} does not win"

    @property
    def is_unfinished(self) -> bool:
        """Whether the side is known to win from the rows only."""
        return self.claim == "wins" and self.within is None


@derived
def symmetries(rules: Rules) -> tuple[Permutation, ...]:
    """Return the symmetries under which a strategy has one row for all images of a position, the identity first."""
    return rules.board_symmetries.limited(_MOST_SYMMETRIES).elements


def canonical(rules: Rules, x: int, o: int) -> tuple[int, Permutation]:
    """Return the least base-3 hash of the images of a position, and the first symmetry that leads to it."""
    xs, os = tuple(squares_of(x)), tuple(squares_of(o))
    powers = _powers(rules.squares)
    images = ((sum([powers[p[s]] for s in xs]) + 2 * sum([powers[p[s]] for s in os]), p) for p in symmetries(rules))
    return min(images, key=lambda image: image[0])


@lru_cache(maxsize=16)
def _powers(squares: int) -> tuple[int, ...]:
    return tuple(3**square for square in range(squares))


def write_strategy(path: Path, rules: Rules, header: Header, rows: Iterable[Row]) -> Path:
    """Write a strategy to a temporary file, check that it opens, and rename it. Return the path.

    Raises StorageError if the folder cannot be written. Needs the extra `build`.
    """
    from sqlite_utils import Database

    from solver import __version__

    rows = sorted(rows)
    facts = {
        "game": rules.name,
        "rules": write_rules(rules),
        **header._asdict(),
        "pairs": header.pairs and " ".join(f"{one}-{other}" for one, other in header.pairs),
        "rows": len(rows),
        "format": FORMAT,
        "builder": __version__,
        "digest": digest_strategy(rules, header, rows),
    }
    part = process_path(path, "part")
    with disk_errors_reported(part.parent):
        part.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(part)) as connection:
                database = Database(connection, recursive_triggers=False, execute_plugins=False)
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                database.execute(f"PRAGMA user_version = {FORMAT}")
                for table, columns in _COLUMNS.items():
                    database.table(table).create(columns, pk=next(iter(columns)))
                texts = ({"key": key, "value": None if facts[key] is None else str(facts[key])} for key in _KEYS)
                database.table("meta").insert_all(texts)
                records = ({"position": _blob(row.hash), "move": row.move, "within": row.within} for row in rows)
                database.table("moves").insert_all(records)
                connection.commit()
            sync(part)
            StrategyReader(part, rules).close()
            put_in_place(part, path)
            sync(part.parent)
        finally:
            part.unlink(missing_ok=True)
    return path


def is_unfinished_proof(path: Path, rules: Rules) -> bool:
    """Return True if the strategy in a file is an unfinished proof. Raises the errors of StrategyReader."""
    with closing(StrategyReader(path, rules)) as reader:
        return reader.header.is_unfinished


def digest_strategy(rules: Rules, header: Header, rows: Iterable[Row]) -> str:
    """Return the digest of the rules, the claim and the sorted rows (XXH3, 128 bits), 32 hexadecimal digits."""
    import xxhash

    size = (3**rules.squares).bit_length() // 8 + 1
    pairs = " ".join(f"{one}-{other}" for one, other in header.pairs or ())
    digest = xxhash.xxh3_128(f"{rules.fingerprint} {header.side} {header.claim} {header.within} {pairs}".encode())
    for row in rows:
        digest.update(
            row.hash.to_bytes(size, "big") + row.move.to_bytes(2, "big") + (row.within or 0).to_bytes(2, "big")
        )
    return digest.hexdigest()


def _number(value: object, most: int = _MOST) -> int:
    """Return a number of `meta`, from 0 to `most`. Raises ValueError."""
    text = str(value)
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise ValueError(f"meta has {quoted(text)} where a number from 0 to {most:,} is expected")
    return int(text)


def _read_pairs(text: str, squares: int) -> tuple[tuple[int, int], ...]:
    """Return pairs of squares that are written like `0-1 5-7`. Raises ValueError."""
    pairs = [tuple(_number(square, squares - 1) for square in pair.split("-")) for pair in text.split()]
    taken = [square for pair in pairs for square in pair]
    if any(len(pair) != 2 for pair in pairs) or len({*taken}) < len(taken):
        raise ValueError("meta has pairs that are no disjoint pairs of squares")
    return tuple((one, other) for one, other in pairs)


def _blob(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _damaged(path: Path, reason: Exception | str) -> DamagedTable:
    return DamagedTable(
        f"The strategy {path} can't be read ({reason}); remove it, or build the game again with --force."
    )


class StrategyReader:
    """The rows of a strategy's file. Threads can share it.

    Raises MissingTable (no such file), UnsupportedTable (no strategy, or of another format or game), DamagedTable, and
    TableError if the file cannot be read.
    """

    rules: Rules
    """The rules of the game."""
    header: Header
    """The claim."""
    digest: str
    """The digest of the rows, as the file states it."""
    builder: str
    """The version of the package that proved it."""

    def __init__(self, path: Path, expected: Rules | None = None) -> None:
        self.path = path
        if not isfile(path):
            if exists(path):
                raise UnsupportedTable(f"{path} is not a file; remove it, or name another folder.")
            raise MissingTable(f"There is no strategy at {path}.")
        try:
            marks = read_marks(path)[:2]
        except OSError as error:
            raise TableError(f"The strategy {path} can't be read: {error.strerror}; choose another file.") from error
        if marks != (APPLICATION_ID, FORMAT):
            raise UnsupportedTable(
                f"The file {path} is no strategy of format {FORMAT}; remove it, or build the game again with --force."
            )
        self._file = UntrustedFile(path, _COLUMNS, partial(_damaged, path))
        try:
            self.rules, self.header, self._rows, self.digest, self.builder = self._read_header(expected)
        except (ValueError, TypeError, RulesError) as error:
            self.close()
            raise self.damaged(error) from error
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self._rows

    def get(self, number: int) -> Row | None:
        """Return the row of a canonical position, given its base-3 hash; None if the strategy leaves it out."""
        found = self._file.first("SELECT position, move, within FROM moves WHERE position = ?", _blob(number))
        return self._row(found) if found else None

    def __iter__(self) -> Iterator[Row]:
        """Yield all rows, sorted."""
        rows = self._file.rows("SELECT position, move, within FROM moves", self._file.bytes // _LEAST_BYTES)
        yield from sorted(map(self._row, rows))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _row(self, record: tuple[object, ...]) -> Row:
        position, move, within = record
        wins = self.header.claim == "wins"
        if not isinstance(position, bytes) or not isinstance(move, int) or not 0 <= move < self.rules.squares:
            raise self.damaged("a row of moves has a wrong type")
        if wins and not (isinstance(within, int) and 0 < within <= self.rules.plies):
            raise self.damaged("a row of moves lacks the plies of the win")
        return Row(int.from_bytes(position, "big"), move, within if wins and isinstance(within, int) else None)

    def _read_header(self, expected: Rules | None) -> tuple[Rules, Header, int, str, str]:
        rows = self._file.rows("SELECT key, value FROM meta", _MOST_FACTS, VALUE_BYTES)
        meta = {str(key): value for key, value in rows}
        if missing := [key for key in _KEYS if key not in meta]:
            raise ValueError(f"meta lacks {', '.join(missing)}")
        rules = read_rules(str(meta["rules"]))
        if expected is not None:
            if not rules.is_same_game(expected):
                raise UnsupportedTable(f"The file {self.path} has a strategy of {rules}, not of {expected}.")
            rules = expected
        side, claim = meta["side"], meta["claim"]
        if side not in get_args(Side) or claim not in get_args(Claim):
            raise ValueError(f"the claim {quoted(side)} {quoted(claim)} is unknown")
        method, digest, builder = (str(meta[key]) for key in ("method", "digest", "builder"))
        if (longest := max(map(len, (method, digest, builder)))) > _LONGEST_TEXT:
            raise ValueError(f"meta has a text of {longest:,} characters")
        within = None
        if claim == "wins" and meta["within"] is not None:
            within = _number(meta["within"], rules.plies)
        pairs = None if meta["pairs"] is None else _read_pairs(str(meta["pairs"]), rules.squares)
        return (
            rules,
            Header(side, claim, within, _number(meta["leaves"]), method, pairs),
            _number(meta["rows"]),
            digest,
            builder,
        )

    def damaged(self, reason: Exception | str) -> DamagedTable:
        """Return the error to raise when the file is found damaged."""
        return _damaged(self.path, reason)
