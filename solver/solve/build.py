"""Build the table of a game, unless it already exists."""

import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from math import inf
from numbers import Real
from os.path import exists, isdir
from pathlib import Path

from solver.errors import DamagedTable, InputError, RulesError, StorageError, missing_extra, quoted, require_numbers
from solver.game.game_files import read_game
from solver.game.rules import MAX_SQUARES, Rules, require_buildable
from solver.kernels.jit import HAS_NUMBA
from solver.search import is_searchable
from solver.store.paths import SHIPPED, default_folder, is_empty, table_path
from solver.store.reader import MAX_OPENING_PLIES, TableReader
from solver.store.schema import METRICS, POSITIONS_LIMIT, Metric, storage_for
from solver.store.sqlite import SqliteContent
from solver.support.files import abandoned_paths
from solver.support.progress import Progress
from solver.support.threads import ThreadPool

DISTANCE_SQUARES = 20
"""Squares of the largest board whose table has distances by default. They make larger builds several times slower."""

_LONGEST_NAME = 200  # bytes of a name; temporary files beside it have longer ones, and file systems allow 255

OPENING_PLIES = 12  # the default last ply of an opening table


def build_table(
    rules: Rules | str,
    folder: Path | str | None = None,
    *,
    metric: Metric | None = None,
    plies: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    workers: int | object | None = None,
    memory: int | None = None,
    workspace: Path | str | None = None,
) -> Path:
    """Solve a game, write its table into `folder` (default: $MNK_DATA or data/) and return the path of its file.

    `metric` is "distance" (win, draw or loss and the plies to the end; the default up to 20 squares and of opening
    tables) or "wdl". A table that already has this metric is kept, unless `force`; an interrupted build is resumed.
    `progress(done, total)` is called in the calling thread. The content of a table depends only on the game, the metric
    and `plies`.

    A game is solved shard by shard. `workers` is the number of threads of this process (default: all cores), a
    distributed.Client, or a concurrent.futures.Executor on this machine, such as a ProcessPoolExecutor. Finished shards
    are kept in the workspace, by default a folder beside the table, until the table is written; `workspace` is another
    folder or the address of an object store, to which all workers have access. `memory` is the most bytes that a
    process of the build may use (default: all available). Levels that later levels read stay in the memory of this
    process, unless they exceed `memory`, or other workers or a workspace are given: then shards are read from the
    workspace. A whole board of up to 12 squares is always solved in memory.

    With `plies`, the table ends at this ply: an opening table. Its last ply is searched by threads of this process. By
    default, k in a row with gravity on a board too large for a whole table gets an opening table of 12 plies with
    distances, if the board fits into 64 bits with a row added. A table in `folder` that has these plies is kept; a
    table in this package that has them is copied without a search.

    Raises RulesError (the game can't be read or is too large; the metric is unknown; in a browser, more than 12
    squares), MissingExtra (Numba is missing), TableError (unless `force`: the file can't be read, or is not a table of
    this version) and StorageError. An older table is unchanged until the new one is complete.
    """
    require_numbers(1, workers=workers if isinstance(workers, int | float | str) else None)
    require_numbers(1, inf, Real, memory=memory)
    if workspace == "":
        raise InputError("The workspace is empty; give a folder or a URL, or leave it out.")
    rules = read_game(rules) if isinstance(rules, str) else rules
    folder = default_folder() if folder is None else Path(folder)
    plies = opening_plies(rules, plies)
    metric = metric or default_metric(rules, plies)
    require_possible(rules, metric, plies)
    target = table_path(folder, rules)
    if not force and existing_table(rules, folder, metric, plies):
        useless = METRICS if existing_table(rules, folder, "distance", plies) else (metric,)
        remove_leftovers(target, [build_address(target, metric, plies, workspace) for metric in useless])
        return target
    if isdir(target):
        raise StorageError(f"{target} is a folder; remove it, or choose another folder with --data.")
    if plies is not None and not force and (shipped := existing_table(rules, SHIPPED, metric, plies)):
        from solver.solve.last_ply import shorten_opening

        return shorten_opening(shipped, target, rules, plies)
    progress = progress or (lambda *_: None)
    if plies is None and storage_for(rules.squares) == "positions":
        from solver.solve.positions_table import build_positions

        with ThreadPool(workers if isinstance(workers, int) else None) as pool:
            return build_positions(target, rules, metric, pool, progress)
    from solver.solve.cluster import workers_of
    from solver.solve.pages_build import solve_game
    from solver.solve.plan import plan_build, plan_memory
    from solver.solve.workspace import open_workspace

    chosen = workers_of(workers)
    fits = memory is None or plan_memory(plan_build(rules, metric, plies=plies), chosen.threads or 1) <= memory
    place = open_workspace(build_address(target, metric, plies, workspace))
    in_memory = chosen.is_here and workspace is None and fits
    with solve_game(target, rules, metric, place, progress, chosen, memory, plies, in_memory) as solved:
        return solved.write(target, progress)


def require_possible(rules: Rules, metric: Metric, plies: int | None = None) -> None:
    """Raise RulesError or MissingExtra unless this program can build the table of a game, up to ply `plies`."""
    if plies is None:
        require_buildable(rules)
    if len(rules.file_name.encode()) > _LONGEST_NAME:
        raise RulesError(
            f"The name {quoted(rules)} is too long for the name of a file; write its rules to a file with "
            "`mnk show GAME --rules > game.json`, and build the table of game.json."
        )
    if not HAS_NUMBA and sys.platform != "emscripten":
        raise missing_extra("Building a table", "build")
    if not HAS_NUMBA and rules.squares > POSITIONS_LIMIT:
        raise RulesError(
            f"{rules} has {rules.squares} squares, and without Numba, as in a browser, boards of up to "
            f"{POSITIONS_LIMIT} are solved; build its table where the extra 'build' is installed, and bring it here."
        )
    if metric not in METRICS:
        raise RulesError(f"There is no metric {quoted(metric)}; choose one of {', '.join(METRICS)}.")


def build_address(target: Path, metric: Metric, plies: int | None = None, workspace: Path | str | None = None) -> str:
    """Return the address at which a build keeps finished shards: in `workspace`, or by default beside the table."""
    part = metric if plies is None else f"{metric}.{plies}-plies"
    return f"{target.parent if workspace is None else workspace}/{target.name}.{part}.parts"


def is_unfinished(address: str) -> bool:
    """Return True if an interrupted build has left finished shards at `address`; see `build_address`."""
    from solver.solve.workspace import open_workspace

    return bool(open_workspace(address).entries())


def remove_leftovers(target: Path, addresses: Iterable[str]) -> None:
    """Remove what builds of a finished table left if they were killed, unless a build is using it; ignore failures."""
    for path in [*abandoned_paths(target, "part"), *abandoned_paths(target, "fetched")]:
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for address in (address for address in addresses if "://" in address or exists(address)):
        from solver.solve.build_objects import BuildObjects
        from solver.solve.lock import BuildLock
        from solver.solve.workspace import open_workspace

        with suppress(StorageError):
            workspace = open_workspace(address)
            if workspace.entries() and not BuildObjects(workspace, "").foreign_names():
                with BuildLock(workspace) as lock:
                    lock.clear()


def opening_plies(rules: Rules, plies: int | None = None) -> int | None:
    """Return the number of plies of a game's opening table; None means a whole table.

    The default is OPENING_PLIES if the board is too large for a whole table and the game can be searched, else None.
    Raises RulesError if an opening table with these plies cannot be built.
    """
    if plies is None and rules.squares <= MAX_SQUARES:
        return None
    if plies is None and not is_searchable(rules):
        return None
    plies = OPENING_PLIES if plies is None else plies
    _require_opening(rules, plies)
    return plies


def _require_opening(rules: Rules, plies: int) -> None:
    """Raise RulesError unless an opening table with `plies` plies can be built."""
    if not is_searchable(rules):
        raise RulesError(
            f"{rules} can't have an opening table: expected a game that can be searched, k in a row with gravity on up "
            "to 64 squares with one row added, and no other variant; choose such a game, such as 6,7,4,gravity."
        )
    most = min(MAX_OPENING_PLIES, rules.squares - 1)
    if not 1 <= plies <= most:
        raise RulesError(
            f"An opening table of {rules} can have from 1 to {most} plies, not {plies}; choose a number in this range."
        )


def default_metric(rules: Rules, plies: int | None = None) -> Metric:
    """Return the default metric of a game's table, or with `plies` of its opening table."""
    return "distance" if rules.squares <= DISTANCE_SQUARES or plies is not None else "wdl"


def existing_table(rules: Rules, folder: Path, metric: Metric | None = None, plies: int | None = None) -> Path | None:
    """Return the path of an undamaged table in `folder` with the first `plies` plies (default: all), or None.

    The table must have the given metric or distances, because distances serve for both metrics. Raises TableError if
    the file can't be read, is not a table or has another version: the user may need it, so it is not overwritten.
    """
    path = table_path(folder, rules)
    if not exists(path) or is_empty(path):
        return None
    try:
        reader = TableReader(SqliteContent(path), rules)
    except DamagedTable:
        return None
    reader.close()
    if reader.opening_plies is not None and reader.opening_plies < (rules.plies if plies is None else plies):
        return None
    return path if reader.metric in ("distance", metric or default_metric(rules)) else None
