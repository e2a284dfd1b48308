"""The result of a partition depends neither on the backend nor on the level store."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.solve.levels import KeptPages, LevelStore, Outcome, SolvedPages, Solver, solve_levels
from solver.solve.pages_table import make_solver
from solver.solve.plan import BuildPlan, LevelPlan, Partition
from solver.solve.positions_table import pages_by_key
from solver.store.schema import Metric
from solver.support.threads import ThreadPool
from tests.solve.test_solve import solve


class PartitionFiles:
    """A level store of another kind: a folder with a file for each partition."""

    def __init__(self, folder: Path, plan: BuildPlan) -> None:
        self.folder = folder
        self.plan = plan

    def path(self, partition: Partition) -> Path:
        return self.folder / f"{partition.level.number}-{partition.first}.npy"

    def inputs(self, partition: Partition) -> KeptPages:
        number = partition.level.number
        if not number:
            return np.zeros((0, 1, 1), dtype=np.uint64)
        return np.concatenate([np.load(self.path(before)) for before in self.plan.levels[number - 1].partitions()])

    def output(self, partition: Partition) -> KeptPages:
        return np.lib.format.open_memmap(self.path(partition), "w+", np.uint64, partition.kept_shape)


class OtherProcesses:
    """A backend of another kind: each partition is solved by some process, which has only the files."""

    def __init__(self, processes: ProcessPoolExecutor) -> None:
        self.processes = processes

    def run(self, level: LevelPlan, store: LevelStore) -> Iterator[Outcome[SolvedPages]]:
        assert isinstance(store, PartitionFiles)
        partitions = list(level.partitions())
        found = self.processes.map(solve_from_files, [store] * len(partitions), partitions)
        for partition, solved in zip(partitions, found, strict=True):
            yield Outcome(partition, solved, solved.tallies)


@cache
def solver_of(rules: Rules, metric: Metric) -> Solver:
    """The solver of a game, made once in each process."""
    with ThreadPool(1) as pool:
        return make_solver(rules, metric, pool)[0]


def solve_from_files(store: PartitionFiles, partition: Partition) -> SolvedPages:
    kept = store.output(partition)
    solved = solver_of(store.plan.rules, store.plan.metric).solve(partition, store.inputs(partition), kept)
    kept.flush()  # type: ignore[attr-defined] # it is a memmap
    return solved


@pytest.fixture(scope="module")
def other_processes() -> Iterator[OtherProcesses]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        yield OtherProcesses(processes)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "metric"), [("3,3,3,exact", "distance"), ("3,4,3,misere", "wdl"), ("3,4,3,gravity", "distance")]
)
def test_pages_are_the_same_wherever_they_are_solved(
    game: str, metric: Metric, other_processes: OtherProcesses, tmp_path: Path
) -> None:
    rules = parse_game(game)
    with ThreadPool(2) as pool:
        solver, statistics = make_solver(rules, metric, pool)
    pages: dict[int, bytes] = {}
    for outcome in solve_levels(solver.plan, other_processes, PartitionFiles(tmp_path, solver.plan)):
        pages |= pages_by_key(outcome.result)
        statistics.add(outcome.tallies)
    assert pages == solve(rules, metric)
    assert list(statistics.rows())
