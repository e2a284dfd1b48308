"""Open the bytes of a table, which lie in a file or in a folder of shards."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from solver.store.sqlite import SqliteSource

if TYPE_CHECKING:
    from solver.store.shards import ShardedSource

TableSource: TypeAlias = "SqliteSource | ShardedSource"


def open_source(path: Path) -> TableSource:
    """Open the bytes of a table: a file or a folder of shards. Raises what they do."""
    if not path.is_dir():
        return SqliteSource(path)
    from solver.store.shards import ShardedSource  # most tables are files

    return ShardedSource(path)
