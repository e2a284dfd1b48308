"""Check a table: its file, its digest, its pages or rows, its statistics, and the value of every position.

`check_table` checks all of this; each value must follow from the values one move later. `sample_check.search_table`
searches random positions to the end of the game, and compares the results with the table's values.

The values are recomputed by a different method (see `kernels.recheck`). Only the lines and symmetries of the game, the
counts of positions, and the reader of files are those of the solver. A table that passes is correct: the values of
finished games follow from the rules, and all others from checked values.
"""

from collections import Counter
from contextlib import closing
from pathlib import Path

from solver.check.check_report import CheckReport
from solver.check.row_check import check_positions
from solver.errors import DamagedTable
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteContent
from solver.support.progress import Progress

__all__ = ["CheckReport", "check_table"]


LAST_PLY = 200  # the random positions of the last ply of an opening table that a check searches

LAST_PLY_NODES = 2_000_000  # the most positions that each of these searches enters, in about a second


def check_table(
    path: Path,
    *,
    sample: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Check the table in a file; return a report of the problems found.

    With `sample`, only that many random positions of a table of pages are checked, chosen by `seed`. The report then
    has no digest, because the file is not read as a whole. A table of positions is small and always checked as a whole.
    `threads` is by default the number of cores. `progress(done, total)` is called in the calling thread.

    The values of the last ply of an opening table do not follow from other values in the table. So a search by a
    different method checks LAST_PLY positions of that ply, chosen at random by `seed`. If the search reaches its limit,
    the position counts as unsettled.

    Raises MissingTable, UnsupportedTable, or DamagedTable for a file that can't be opened as a table.
    """
    with closing(SqliteContent(path)) as source:
        reader = TableReader(source)
        report, progress = CheckReport(reader.rules.name, reader.metric), progress or (lambda *_: None)
        is_small = reader.storage == "positions"
        try:
            for fault in source.integrity_faults() if is_small or sample is None else ():
                report.add(fault)
            if report.problems:  # the values in such a file are meaningless
                return report
            if is_small:
                check_positions(reader, source.positions(), report, progress)
            elif sample is not None:
                from solver.check.sample_check import check_sample

                check_sample(reader, sample, seed, report, progress)
            else:
                from solver.check.page_check import PageCheck

                last = reader.opening_plies
                PageCheck(reader, source, report, progress if last is None else _half(progress, 0)).run(threads)
                if last is not None:
                    _search_last_ply(reader, last, seed, threads, report, _half(progress, 1))
        except DamagedTable as error:
            report.add(str(error))
        return report


def _search_last_ply(
    reader: TableReader, ply: int, seed: int, threads: int | None, report: CheckReport, progress: Progress
) -> None:
    """Search random positions of an opening table's last ply, and add the results to the report."""
    from solver.check.sample_check import search_table
    from solver.kernels.recheck_search import MOST_SQUARES
    from solver.tablebase import Tablebase

    if reader.rules.squares > MOST_SQUARES:
        report.searched = {ply: Counter(unsettled=LAST_PLY)}
        return
    table, plies = Tablebase(reader), range(ply, ply + 1)
    searched = search_table(
        table, LAST_PLY, seed=seed, nodes=LAST_PLY_NODES, threads=threads, plies=plies, progress=progress
    )
    for problem in searched.problems:
        report.add(problem)
    report.searched = searched.searched


def _half(progress: Progress, half: int) -> Progress:
    """Return a function that reports progress within the first half (0) or the second half (1) of the work."""
    return lambda done, total: progress(500 * half + 500 * done // total, 1000)
