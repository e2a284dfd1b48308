"""Compile the kernels that most tests need, in two halves: `python -m tests.compile_kernels placement` and `other`.

They run side by side and take about as long as each other, half a minute when nothing is compiled yet, a second when
all is.
"""

import sys
import tempfile
from pathlib import Path

import solver
from solver.check import check_table
from solver.check.search import Prover
from solver.engines.game_tree import measure_tree
from solver.engines.learning import Learner
from tests.check.tables import slow_pages_build


def compile_placement(folder: Path) -> None:
    """Compile what builds a game without gravity."""
    solver.build_table("3,3,3", folder)


def compile_other(folder: Path) -> None:
    """Compile what builds a game with gravity, what checks tables, and what engines search and learn with."""
    check_table(solver.build_table("4,4,4,gravity", folder))
    check_table(slow_pages_build("3,3,3", folder, "distance"))
    rules = solver.Rules.parse("3,3,3")
    Prover(rules).value((0, 0))
    start = solver.Position.start(rules)
    solver.make_engine("mcts:playouts=10", rules).choose(start)
    Learner(rules).train(1)
    measure_tree(start)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        {"placement": compile_placement, "other": compile_other}[sys.argv[1]](Path(name))
