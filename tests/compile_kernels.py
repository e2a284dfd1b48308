"""Compile the kernels that most tests need, in two halves: `python -m tests.compile_kernels first` and `second`.

The halves run in parallel and take about the same time: half a minute at first, and a second if everything is compiled.
"""

import sys
import tempfile
from pathlib import Path

import solver
from solver.check import check_table
from solver.check.sample_check import Prover
from solver.count import count_positions
from solver.engines.learner import Learner
from solver.search.gravity import Search
from tests.check.tables import slow_pages_build


def compile_first(folder: Path) -> None:
    """Compile the kernels that build games without gravity, search, and train engines."""
    rules = solver.parse_game("3,3,3")
    solver.build_table(rules, folder)
    Prover(rules).value((0, 0))
    Learner(rules).train(1)


def compile_second(folder: Path) -> None:
    """Compile the kernels that build games with gravity, count, check and play."""
    check_table(solver.build_table("4,4,4,gravity", folder))
    check_table(slow_pages_build("3,3,3", folder, "distance"))
    rules = solver.parse_game("3,3,3")
    start = solver.Position.start(rules)
    count_positions(rules)
    connect_four = solver.parse_game("6,7,4,gravity")
    Search(connect_four).solve(solver.Position.parse(connect_four, "165713352355467777"))
    solver.make_engine("mcts:playouts=10", rules).choose(start)
    solver.make_engine("minimax:depth=2", rules)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        {"first": compile_first, "second": compile_second}[sys.argv[1]](Path(name))
