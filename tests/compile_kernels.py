"""Compile the kernels that most tests need, in three parts: `python -m tests.compile_kernels first`, `second`, `third`.

The third runs beside the others. They take a minute and a half at first, and some seconds if everything is compiled.
The parts share few kernels, because each would compile those.
"""

import gc
import sys
import tempfile
from pathlib import Path

import solver
from solver.check import check_table
from solver.check.sample_check import CheckSearch
from solver.check.strategy_check import check_strategy
from solver.count import count_positions
from solver.engines.learner import Learner
from solver.search.gravity import Search
from solver.search.threats import Prover
from solver.solve.proof import prove_game
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


def compile_third(folder: Path) -> None:
    """Compile the kernels that prove larger games, and those that check proofs."""
    for game in ("6,6,4", "5,5,5"):
        path = prove_game(solver.parse_game(game), folder)
        assert path
        check_strategy(path, Prover)
    gomoku = solver.parse_game("15,15,5")
    with solver.open_truth(gomoku, folder) as truth:
        truth.evaluate(solver.Position.from_moves(gomoku, ["h8", "a1", "i8", "a2"]))


if __name__ == "__main__":
    gc.disable()  # the compiler makes many objects and few cycles; a twelfth of the time goes
    with tempfile.TemporaryDirectory() as name:
        parts = {"first": compile_first, "second": compile_second, "third": compile_third}
        parts[sys.argv[1]](Path(name))
