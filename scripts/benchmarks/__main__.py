"""Run the measurements, show them as they come, and write them down."""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from benchmarks import compared, growth, required, serving
from benchmarks.figure import Figure
from benchmarks.machine import describe_machine, load
from benchmarks.picture import svg_growth
from benchmarks.process import ROOT
from solver.store.schema import METRICS


class Part(NamedTuple):
    """Figures that belong together, and what to know about them."""

    title: str
    note: str
    figures: Iterator[Figure]


def main(words: list[str] | None = None) -> None:
    """The whole program; `words` are its arguments, by default those of the command line."""
    arguments = _arguments(words)
    machine = describe_machine()
    print("\n".join(f"{name}: {value}" for name, value in machine.items()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        parts = [_measured(part) for part in _parts(Path(folder), arguments.quick)]
    machine["load after"] = load()
    out = ROOT / arguments.out
    out.mkdir(parents=True, exist_ok=True)
    for name, text in _files(machine, arguments.quick, parts).items():
        (out / name).write_text(text, encoding="utf-8")
    print(f"written to {out}")


def _arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure the solver on this machine.")
    parser.add_argument("--quick", action="store_true", help="take less than a minute; leave out large games")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("data", "benchmarks"),
        metavar="FOLDER",
        help="where to write, from the project's folder (default: %(default)s)",
    )
    return parser.parse_args(words)


def _parts(folder: Path, quick: bool) -> Iterator[Part]:
    yield Part(
        "What was asked for",
        "Medians of several runs, once everything is compiled and the file is in the system's memory.",
        required.figures(folder, quick),
    )
    yield Part(
        "Compared with what one would use instead",
        "The others solve in a process of their own and keep win, draw or loss alone, in memory; a table keeps "
        "distances too, on disk. Their probe is a look-up under a key that is ready; that of a table takes a position.",
        compared.figures(folder, quick),
    )
    yield Part(
        "Over HTTP",
        "`mnk serve` in a process of its own, asked over loopback. A core serves as many requests as it does in a "
        "second of the server's processor time; by the clock it shares the machine with the process that asks.",
        serving.figures(folder, quick),
    )
    yield Part(
        "The kernel",
        "Solving alone, on all cores, beside the machine's memory bandwidth: a solve reads the pages of its children "
        "once for each of their parents, and writes its own, folded. That is a small part of what the memory could "
        "deliver: its time goes into moving bits. Games with many symmetries take less time than others of their "
        "size, since only one of the positions that look alike is solved; results.json has their number.",
        growth.figures(growth.games_of(quick)),
    )


def _measured(part: Part) -> tuple[Part, list[Figure]]:
    """The part with its figures, shown as they come."""
    print(f"\n{part.title}", flush=True)
    figures = []
    for figure in part.figures:
        print(figure.text(), flush=True)
        figures.append(figure)
    return part, figures


def _files(machine: dict[str, str], quick: bool, parts: list[tuple[Part, list[Figure]]]) -> dict[str, str]:
    """What to write, by the name of the file."""
    figures = [figure for _, measured in parts for figure in measured]
    results = {
        "machine": machine,
        "quick": quick,
        "parts": {part.title: [asdict(figure) for figure in measured] for part, measured in parts},
    }
    return {
        "results.json": json.dumps(results, indent=1) + "\n",
        "results.md": _table(machine, quick, parts),
        "growth.svg": draw_growth(machine, figures),
    }


def draw_growth(machine: dict[str, str], figures: list[Figure]) -> str:
    """Draw how the time to solve a game grows, as SVG."""
    series = {growth.QUESTIONS[metric]: growth.points_of(figures, metric) for metric in METRICS}
    return svg_growth(series, f"Seconds to solve a game, {machine['cores']} cores of {machine['processor']}")


def _table(machine: dict[str, str], quick: bool, parts: list[tuple[Part, list[Figure]]]) -> str:
    lines = ["# Measured figures", "", f"By `scripts/bench{' --quick' if quick else ''}`, all in one run.", ""]
    lines += [f"- {name}: {value}" for name, value in machine.items()]
    for part, figures in parts:
        columns = ("what", "measured", "ratio", "asked for")[: 4 if any(figure.bound for figure in figures) else 3]
        lines += ["", f"## {part.title}", "", part.note, "", _row(*columns), _row(*["---"] * len(columns))]
        lines += [_row(*figure.cells()[: len(columns)]) for figure in figures]
    return "\n".join([*lines, "", "![how the time grows](growth.svg)", ""])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
