"""Functions that must also work in a browser: run there, in this Python, and in this Python with features removed.

`look` needs only the standard library, `work` also NumPy. They return JSON, which must be the same everywhere.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

WITHOUT = {"llvmlite", "numba"}
"""The packages that are missing in a browser."""

FORM: Any = {"board": "flat", "marks": "X,O,space", "moves": "index"}


def look(tables: Path) -> dict[str, Any]:
    """Open and probe tables, create strategies, pictures and notebook boards, and grade functions."""
    import solver
    from solver.export.pictures.position import draw_position

    with (
        solver.open_tablebase(tables / "mnk-3-3-3.sqlite") as small,
        solver.open_tablebase(tables / "mnk-4-4-4.sqlite") as large,
    ):
        position, start = solver.Position.parse(small.rules, "XO./.X./..."), solver.Position.start(large.rules)
        report = solver.verify(first_free, "3,3,3", **FORM, at=["XO./.X./...", "XX./OO./...", "X../.../..."])
        return {
            "value": str(small.probe(position)),
            "moves": small.moves(position),
            "line": small.mainline(position),
            "large": [str(large.probe(start)), large.mainline(start), large.moves(start.play(5))],
            "strategy": str(small.strategy(position, "X")),
            "picture": draw_position(position, small),
            "notebook": [position._repr_svg_(), small.table._repr_html_()],
            "report": [report.score, report.convention, report._repr_html_().replace(report.isolation, "")],
            "all": solver.verify(first_free, "2,3,2", **FORM).score,
        }


def refuse(folder: Path) -> dict[str, Any]:
    """Return the error messages of unsupported features, and the isolation of a verification."""
    import solver

    engines = {"a program": "cmd:cat", "a file": str(Path(__file__)), "a module": "json:loads"}
    found = {name: refusal(solver.verify, engine, "2,3,2") for name, engine in engines.items()}
    return {
        **found,
        "a sandbox": refusal(solver.verify, first_free, "2,3,2", **FORM, sandbox=True),
        "a large game": refusal(solver.build_table, "4,4,4", folder),
        "isolation": solver.verify(first_free, "2,3,2", **FORM).isolation,
    }


def work(tables: Path, folder: Path, games: Sequence[str]) -> dict[str, Any]:
    """Build tables, and probe many positions at once."""
    import solver

    with solver.open_tablebase(tables / "mnk-3-3-3.sqlite") as table:
        return {
            "many": [column.tolist() for column in table.table.probe_many([0, 1, 88])],
            "built": {game: sha256(solver.build_table(game, folder).read_bytes()).hexdigest() for game in games},
        }


def first_free(board: list[str]) -> int:
    """An engine that takes the first empty square."""
    return board.index(" ")


def refusal(call: Callable[..., object], *given: object, **named: object) -> str:
    """Return the error message of a call that must fail, or an empty string."""
    from solver import MnkError

    try:
        call(*given, **named)
    except MnkError as error:
        return str(error)
    return ""


class _Missing:
    """An import finder that reports some packages as missing."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in WITHOUT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _fail(*_: object, **__: object) -> NoReturn:
    raise OSError("no process or thread can be started here")


def become_bare() -> None:
    """Remove from this Python the features that Emscripten lacks: packages, threads, processes."""
    import numpy  # noqa: F401 - loads the modules of the real platform
    import sqlite_utils  # noqa: F401 - like NumPy
    import zstandard  # noqa: F401

    sys.meta_path.insert(0, _Missing())
    sys.platform = "emscripten"
    for place, name in ((threading.Thread, "start"), (subprocess, "Popen"), (os, "fork")):
        setattr(place, name, _fail)


if __name__ == "__main__":
    become_bare()
    tables, folder = map(Path, sys.argv[1:3])
    print(json.dumps([look(tables), work(tables, folder, sys.argv[3:]), refuse(folder)]))
