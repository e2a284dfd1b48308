"""Tables of pages by the slow builder, and ways to break a table."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from solver.check import CheckReport
from solver.game.legality import reason_out_of_order
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.codec import pack_page, unpack_page
from solver.store.digests import page_digest, sum_digest
from solver.store.layout import layout_of
from solver.store.schema import Metric
from solver.store.writer import TableWriter
from tests.page_geometry import page_keys
from tests.slow_build import Oracle, oracle, plies, raw_page, root_meta

TableFile = Callable[..., Path]
Copy = Callable[[Path], Path]


class Sparse(Oracle):
    """Omits positions that can't arise, as the format requires."""

    def __init__(self, known: Oracle) -> None:
        super().__init__(known.rules)
        self.true = known
        self.arising = {(position.x, position.o) for position in known.reachable()}

    def value(self, position: Position) -> Value:
        """Return the value, or that of a draw, which has no bits."""
        return self.true.value(position) if (position.x, position.o) in self.arising else Value(0, 0)


def slow_pages_build(game: str | Rules, folder: Path, metric: Metric) -> Path:
    """Build a table of pages of a small game, although its size calls for rows."""
    known = oracle(game) if isinstance(game, str) else Oracle(game)
    rules, positions, sparse = known.rules, known.reachable(), Sparse(known)
    layout = layout_of(rules, metric)
    keys = [key for key in page_keys(layout) if layout.has_gravity or reason_out_of_order(rules, key, 0) is None]
    with TableWriter(folder / rules.file_name, rules, metric, "pages") as writer:
        rows = plies(known, positions, metric)
        writer.put_plies(rows)
        writer.add_pages((key, raw_page(sparse, layout, key)) for key in keys)
        canonical = sum(row["canonical"] or 0 for row in rows)
        return writer.finish(root_meta(known, metric) | {"positions": len(positions), "canonical": canonical})


def execute(path: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Execute a statement on a table that its writer would not."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        found = connection.execute(statement, values).fetchall()
    connection.close()
    return found


def page_of(path: Path, rules: Rules, metric: Metric, key: int) -> bytes:
    ((data,),) = execute(path, "SELECT data FROM pages WHERE key = ?", key)
    assert isinstance(data, bytes)
    return unpack_page(data, layout_of(rules, metric).page_size(key).raw_bytes)


def put_page(path: Path, key: int, raw: bytes) -> None:
    """Replace a page like a builder with a bug: with a correct checksum and a correct digest."""
    execute(path, "UPDATE pages SET data = ? WHERE key = ?", pack_page(raw), key)


def put_digest(path: Path, rules: Rules, metric: Metric) -> None:
    pages = execute(path, "SELECT key, data FROM pages")
    layout, total = layout_of(rules, metric), 0
    for key, data in pages:
        assert isinstance(key, int)
        assert isinstance(data, bytes)
        total += page_digest(key, unpack_page(data, layout.page_size(key).raw_bytes))
    execute(path, "UPDATE meta SET value = ? WHERE key = 'digest'", sum_digest(total))


def flipped(raw: bytes, bit: int) -> bytes:
    changed = bytearray(raw)
    changed[bit >> 3] ^= 1 << (bit & 7)
    return bytes(changed)


def only_problem(report: CheckReport) -> str:
    assert len(report.problems) == 1, report.problems
    assert not report.ok
    return report.problems[0]
