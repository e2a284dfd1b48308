"""Compile the kernels that most tests need, in two halves: `python -m tests.compile_kernels first` and `second`.

The halves run in parallel and take less than a minute at first, and a second if everything is compiled. They share
few kernels, because each would compile those.
"""

import gc
import sys
import tempfile
from pathlib import Path

import solver
from solver.check import check_table
from solver.check.sample_check import CheckSearch
from solver.count import count_positions
from solver.engines.learner import Learner
from solver.search.gravity import Search
from tests.check.tables import slow_pages_build


def compile_first(folder: Path) -> None:
    """Compile the kernels that build and count games without gravity, and engines."""
    rules = solver.parse_game("3,3,3")
    solver.build_table(rules, folder)
    CheckSearch(rules).value((0, 0))
    Learner(rules).train(1)
    solver.make_engine("mcts:playouts=10", rules).choose(solver.Position.start(rules))
    solver.make_engine("minimax:depth=2", rules)
    count_positions(rules)


def compile_second(folder: Path) -> None:
    """Compile the kernels that build and search games with gravity, and those that check any game."""
    check_table(slow_pages_build("3,3,3", folder, "distance"))
    check_table(solver.build_table("4,4,4,gravity", folder))
    (folder / "opening").mkdir()
    solver.build_table("4,4,4,gravity", folder / "opening", plies=4)
    connect_four = solver.parse_game("6,7,4,gravity")
    Search(connect_four).solve(solver.Position.parse(connect_four, "165713352355467777"))


if __name__ == "__main__":
    gc.disable()  # the compiler makes many objects and few cycles; a twelfth of the time goes
    with tempfile.TemporaryDirectory() as name:
        {"first": compile_first, "second": compile_second}[sys.argv[1]](Path(name))
