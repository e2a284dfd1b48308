"""Check a table: its file, its digest, its pages or rows, its statistics, and each value against those one move later.

`check_table` does this; `search_table` compares random positions with a search to the end of the game.

The code that recomputes the values shares nothing with the kernels that solved the game (see `kernels.recheck`). A
table that passes is right: the values of finished games follow from the rules, all others from checked values.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from solver.check.findings import CheckReport
from solver.check.row_check import check_positions
from solver.errors import DamagedTable, RulesError
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteSource

__all__ = ["CheckReport", "check_table"]


def check_table(
    path: Path,
    *,
    sample: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CheckReport:
    """Check the table in a file; return the problems found.

    With `sample`, only so many random positions of a table of pages are checked, chosen by `seed`; the file is not read
    as a whole, and the report has no digest. A table of positions is small and always checked as a whole. `threads` is
    by default the number of cores. `progress(done, total)` is called from time to time in the calling thread.

    Raises MissingTable, UnsupportedTable, or DamagedTable for a file that can't be opened as a table, and RulesError
    for an opening table without `sample`: its last ply was searched, so it doesn't follow from the table.
    """
    with closing(SqliteSource(path)) as source:
        reader = TableReader(source)
        report, progress = CheckReport(reader.rules.name, reader.metric), progress or (lambda *_: None)
        is_small = reader.storage == "positions"
        if reader.opening_plies is not None and sample is None:
            raise RulesError(
                f"The table of {reader.rules} ends at ply {reader.opening_plies}, so only random positions of earlier "
                "plies can be checked; give their number, such as --sample 1000."
            )
        try:
            faults = source.declaration_faults(reader.storage)
            if is_small or sample is None:
                faults += source.integrity_faults()
            for fault in faults:
                report.add(fault)
            if faults:  # the values in such a file mean nothing
                return report
            if is_small:
                check_positions(reader, source.positions(), report, progress)
            elif sample is not None:
                from solver.check.sample_check import check_sample

                check_sample(reader, sample, seed, report, progress)
            else:
                from solver.check.page_check import PageCheck

                PageCheck(reader, source, report, progress).run(threads)
        except DamagedTable as error:
            report.add(str(error))
        return report
