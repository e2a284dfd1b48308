"""Build the table of a game, unless it already exists."""

import sys
from pathlib import Path

from solver.errors import RulesError, TableError, UnsupportedTable, missing_extra, quoted
from solver.game.game_files import read_game
from solver.game.rules import MAX_SQUARES, Rules, require_buildable
from solver.kernels.jit import HAS_NUMBA
from solver.search import is_searchable
from solver.store.paths import SHIPPED, default_folder, table_path
from solver.store.reader import TableReader
from solver.store.schema import METRICS, POSITIONS_LIMIT, Metric, storage_for
from solver.store.sqlite import SqliteSource
from solver.support.progress import Progress
from solver.support.threads import ThreadPool, available_cores

DISTANCE_SQUARES = 20
"""Squares of the largest board whose table has distances by default. They make larger builds several times slower."""


def build_table(
    rules: Rules | str,
    folder: Path | str | None = None,
    *,
    metric: Metric | None = None,
    threads: int | None = None,
    memory: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    store: Path | str | None = None,
    executor: object | None = None,
    plies: int | None = None,
) -> Path:
    """Solve a game, write its table into `folder` (default: $MNK_DATA or data/) and return the path of its file.

    `metric` is "distance" (win, draw or loss and the plies to the end; the default up to 20 squares) or "wdl". A table
    that already has this metric is kept, unless `force`; an interrupted build is resumed. `progress(done, total)` is
    called in the calling thread. The content of a whole table depends only on the game and the metric.

    A game is solved shard by shard, with `threads` threads (default: all cores). Until the table is written, finished
    shards are kept in `folder`, or in `store`: another folder or the address of an object store. Levels that later
    levels read stay in memory, unless `store` or `executor` is given, or the budget `memory`, in bytes, is too small
    for these levels: then their shards are read from the store. `executor` is a distributed.Client, or a
    concurrent.futures.Executor on this machine, such as a ProcessPoolExecutor. Its workers solve the shards; each
    worker uses `threads` threads. All workers must be able to access the store. A board of up to 12 squares is always
    solved in memory.

    With `plies`, the table contains only the positions of the first `plies` plies, with distances: an opening table. By
    default, k in a row with gravity on a board too large for a whole table gets an opening table of 12 plies, if
    the board fits into 64 bits with a row added. A table in `folder` that has these plies is kept; a table in this
    package that has them is copied without a search.

    Raises RulesError (the game can't be read or is too large; the metric is unknown; in a browser, more than 12
    squares), MissingExtra (Numba is missing), UnsupportedTable (unless `force`: the file is not a table, or has another
    version) and StorageError. An older table is unchanged until the new one is complete.
    """
    rules = read_game(rules) if isinstance(rules, str) else rules
    folder = default_folder() if folder is None else Path(folder)
    plies = opening_plies(rules, plies)
    if plies is None:
        require_buildable(rules)
    if not HAS_NUMBA and sys.platform != "emscripten":
        raise missing_extra("Building a table", "build")
    if not HAS_NUMBA and rules.squares > POSITIONS_LIMIT:
        raise RulesError(
            f"{rules} has {rules.squares} squares, and without Numba, as in a browser, boards of up to "
            f"{POSITIONS_LIMIT} are solved; build its table where the extra 'build' is installed, and bring it here."
        )
    progress = progress or (lambda *_: None)
    if plies is not None:
        if metric == "wdl" or store is not None or executor is not None:
            raise RulesError(
                "An opening table has distances, and is built by threads of this process; leave out the metric wdl, "
                "the store and the executor."
            )
        metric = "distance"
    metric = metric or default_metric(rules)
    if metric not in METRICS:
        raise RulesError(f"There is no metric {quoted(metric)}; choose one of {', '.join(METRICS)}.")
    target = table_path(folder, rules)
    if not force and existing_table(rules, folder, metric, plies):
        return target
    if plies is not None:
        from solver.solve.opening import build_opening, shorten_opening

        if not force and (shipped := existing_table(rules, SHIPPED, metric, plies)):
            return shorten_opening(shipped, target, rules, plies)
        with ThreadPool(threads) as pool:
            return build_opening(target, rules, plies, pool, progress, memory)
    if storage_for(rules.squares) == "positions":  # without NumPy, an existing table can still be used
        from solver.solve.positions_table import build_positions

        with ThreadPool(threads) as pool:
            return build_positions(target, rules, metric, pool, progress)
    from solver.solve.cluster import workers_of
    from solver.solve.objects import open_store
    from solver.solve.pages_build import solve_game
    from solver.solve.plan import plan_build, plan_memory

    fits = memory is None or plan_memory(plan_build(rules, metric), threads or available_cores()) <= memory
    workers = None if store is None and executor is None and fits else workers_of(executor)
    objects = open_store(build_address(target, metric, store))
    with solve_game(target, rules, metric, objects, progress, workers, threads, memory) as solved:
        return solved.write(target, progress)


def build_address(target: Path, metric: Metric, store: Path | str | None = None) -> str:
    """Return the address at which a build keeps finished shards: in `store`, or by default beside the table."""
    return f"{target.parent if store is None else store}/{target.name}.{metric}.parts"


def is_unfinished(address: str) -> bool:
    """Return True if an interrupted build has left finished shards at `address`; see `build_address`."""
    from solver.solve.objects import open_store

    return bool(open_store(address).entries())


def opening_plies(rules: Rules, plies: int | None = None) -> int | None:
    """Return the number of plies of a game's opening table; None means a whole table.

    The default is OPENING_PLIES if the board is too large for a whole table and the game can be searched, else None.
    Raises RulesError if an opening table with these plies cannot be built.
    """
    if plies is None and rules.squares <= MAX_SQUARES:
        return None
    if plies is None and not is_searchable(rules):
        return None
    from solver.solve.opening import OPENING_PLIES, require_opening  # loads the compiler

    plies = OPENING_PLIES if plies is None else plies
    require_opening(rules, plies)
    return plies


def default_metric(rules: Rules) -> Metric:
    """Return the default metric of a game's table."""
    return "distance" if rules.squares <= DISTANCE_SQUARES else "wdl"


def existing_table(rules: Rules, folder: Path, metric: Metric | None = None, plies: int | None = None) -> Path | None:
    """Return the path of an undamaged table in `folder` with the first `plies` plies (default: all), or None.

    The table must have the given metric or distances, because distances serve for both metrics. Raises UnsupportedTable
    if the file is not a table or has another version: the user may need that file, so it is not overwritten.
    """
    path = table_path(folder, rules)
    try:
        reader = TableReader(SqliteSource(path), rules)
    except UnsupportedTable:
        raise
    except TableError:
        return None
    reader.close()
    if reader.opening_plies is not None and reader.opening_plies < (rules.plies if plies is None else plies):
        return None
    return path if reader.metric in ("distance", metric or default_metric(rules)) else None
