"""The facts about a table that commands show: what it holds, the value of its game, where it lies."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from solver.answers import TableAnswer, table_answer
from solver.cli.words import file_size
from solver.game.rules import Rules
from solver.game.value import Value
from solver.support.schemas import JsonObject

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

__all__ = ["Summary", "summarise"]


@dataclass(frozen=True)
class Summary:
    """A table in figures. root: the value of the empty board. size: of the file, in bytes. facts: all but the file."""

    rules: Rules
    metric: str
    positions: int
    canonical: int
    root: Value
    digest: str
    builder: str
    path: Path
    size: int
    facts: TableAnswer

    @property
    def file(self) -> str:
        """The file and its size, for people."""
        return f"{self.path}, {file_size(self.size)}"

    def json(self) -> JsonObject:
        """The same as an object for JSON."""
        return {**self.facts, "path": str(self.path), "bytes": self.size}


def summarise(table: "Tablebase") -> Summary:
    """The facts in the table's `meta`, whose form the reader has checked."""
    facts, path = table_answer(table), Path(table.name)
    return Summary(
        rules=table.rules,
        root=Value(facts["wdl"], facts["distance"]),
        path=path,
        size=path.stat().st_size,
        facts=facts,
        metric=facts["metric"],
        positions=facts["positions"],
        canonical=facts["canonical"],
        digest=facts["digest"],
        builder=facts["builder"],
    )
