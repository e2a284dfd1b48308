"""Build a table in its own process: `python -m benchmarks.building GAME FOLDER`."""

import sys
from pathlib import Path

from benchmarks.figure import timed
from benchmarks.process import peak_megabytes, report
from solver import build_table


def main(game: str, folder: str) -> None:
    """Build and store the table, and report the time and the peak memory."""
    elapsed, _ = timed(lambda: build_table(game, Path(folder), force=True))
    report(seconds=elapsed, megabytes=peak_megabytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
