"""The facts about a table that commands show: what it holds, the value of its game, where it lies."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.cli.words import file_size
from solver.rules import Rules
from solver.value import Value

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

__all__ = ["Summary", "summarise"]


@dataclass(frozen=True)
class Summary:
    """A table in figures. root: the value of the empty board. size: of the file, in bytes."""

    rules: Rules
    metric: str
    positions: int
    canonical: int
    root: Value
    digest: str
    builder: str
    path: Path
    size: int

    @property
    def file(self) -> str:
        """The file and its size, for people."""
        return f"{self.path}, {file_size(self.size)}"

    def json(self) -> dict[str, Any]:
        """The same as an object for JSON."""
        return {
            "game": self.rules.name,
            "description": self.rules.describe(),
            "metric": self.metric,
            "positions": self.positions,
            "canonical": self.canonical,
            "wdl": self.root.wdl,
            "category": self.root.category,
            "distance": self.root.distance,
            "digest": self.digest,
            "builder": self.builder,
            "path": str(self.path),
            "bytes": self.size,
        }


def summarise(table: "Tablebase") -> Summary:
    """The facts in the table's `meta`, whose form the reader has checked."""
    meta = {key: str(value) for key, value in table.meta.items()}
    path = Path(table.name)
    distance = int(meta["root_distance"]) if table.metric == "distance" else None
    return Summary(
        rules=table.rules,
        metric=table.metric,
        positions=int(meta["positions"]),
        canonical=int(meta["canonical"]),
        root=Value(int(meta["root_wdl"]), distance),
        digest=meta["digest"],
        builder=meta["builder"],
        path=path,
        size=path.stat().st_size,
    )
