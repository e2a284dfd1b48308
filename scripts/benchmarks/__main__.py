"""Run the measurements, print each as it finishes, and write them to files."""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from benchmarks import compared, connect_four, growth, proofs, required, serving
from benchmarks.figure import Figure
from benchmarks.machine import describe_machine, load
from benchmarks.picture import svg_growth
from benchmarks.process import ROOT
from solver.store.schema import METRICS


class Part(NamedTuple):
    """A group of figures, with an explanation."""

    title: str
    note: str
    figures: Iterator[Figure]


def main(words: list[str] | None = None) -> None:
    """Run the program; `words` are its arguments, by default those of the command line."""
    arguments = _arguments(words)
    machine = describe_machine()
    print("\n".join(f"{name}: {value}" for name, value in machine.items()), flush=True)
    out = ROOT / arguments.out
    stored = _stored(out, machine) if arguments.only else {}
    with tempfile.TemporaryDirectory() as folder:
        listed = [*_parts(Path(folder), arguments.quick, arguments.sources)]
        if arguments.only not in (None, *(part.title for part in listed)):
            raise SystemExit(f"There is no part {arguments.only!r}; choose {', '.join(part.title for part in listed)}.")
        parts = [
            (part, stored.get(part.title, [])) if arguments.only not in (None, part.title) else _measured(part)
            for part in listed
        ]
    machine["load after"] = load()
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
        help="the output folder, relative to the project's folder (default: %(default)s)",
    )
    parser.add_argument("--only", metavar="PART", help="measure the part of this title, and keep the other figures")
    parser.add_argument(
        "--sources",
        type=Path,
        metavar="FOLDER",
        help="a folder with the test sets Test_L1_R1 and so on, and connect4, the source of Pons' solver "
        "(default: fetch them)",
    )
    return parser.parse_args(words)


def _parts(folder: Path, quick: bool, sources: Path | None) -> Iterator[Part]:
    yield Part(
        "Requirements",
        "Medians of several runs, with compiled kernels and with the file in the page cache.",
        required.figures(folder, quick),
    )
    yield Part(
        "Compared with alternatives",
        "Each alternative solves in its own process and keeps only win, draw or loss, in memory. A table also keeps "
        "distances, and is on disk. A probe of an alternative looks up a key that is already computed; a probe of a "
        "table takes a position.",
        compared.figures(folder, quick),
    )
    yield Part(
        "Over HTTP",
        "`mnk serve` runs in its own process and is called over loopback. Requests per core are per second of the "
        "server's processor time. By the clock, the client shares the machine with the server.",
        serving.figures(folder, quick),
    )
    yield Part(
        "Connect Four",
        "Processor seconds of one core for the first positions of Pons' test sets, exact to the ply, without "
        "an opening book. The start of the program and the allocation of its memory are left out, and every "
        "score is checked. A missing row means that a program or set was unavailable. Below, the search "
        "solves all moves of a position one after another with one memory, in milliseconds by the clock. Best"
        " lines are positions after 12 plies in which both sides win as early, and lose as late, as possible.",
        connect_four.figures(sources or folder, quick),
    )
    yield Part(
        "Proofs",
        "Processor seconds of all cores together, with compiled kernels, for games too large for a table: all that "
        "`mnk build` does but the check, including the searches that find nothing and up to 3 s in search of a shorter "
        "win. A proof shows a win of X or a strategy with which O holds, whichever exists; the size is that of its "
        "file. The peer solves positions of random Gomoku games of 12 to 40 stones in the same run. Calls inside the "
        "process are timed, after a first pass; the solver here forgets each position before the next. The side to "
        "move is White for the peer. Renju forbids Black some points, and Black does not win with six in a row, so the "
        "peer also claims wins that Gomoku does not have. A win counts if its line holds when it is replayed by the "
        "rules of Gomoku.",
        proofs.figures(folder, quick),
    )
    yield Part(
        "The kernel",
        "Solving alone, on all cores, compared with the memory bandwidth of the machine. A solve reads the pages of "
        "its children once for each parent, and writes its own pages, folded. This uses a small part of the "
        "bandwidth: the time goes into moving bits. Games with many symmetries take less time than others of their "
        "size, because only one position of each symmetry class is solved; results.json has their number.",
        growth.figures(growth.games_of(quick)),
    )


def _stored(out: Path, machine: dict[str, str]) -> dict[str, list[Figure]]:
    """Return the figures of an earlier run by the title of their part; exit if there are none for this machine."""
    path = out / "results.json"
    if not path.exists():
        raise SystemExit(f"{path} is missing. Run scripts/bench without --only first.")
    results = json.loads(path.read_text(encoding="utf-8"))
    if any(results["machine"][name] != machine[name] for name in ("processor", "cores")):
        raise SystemExit(f"{path} has figures of another machine. Run scripts/bench without --only.")
    return {title: [Figure(**figure) for figure in figures] for title, figures in results["parts"].items()}


def _measured(part: Part) -> tuple[Part, list[Figure]]:
    """Measure the figures of a part, and print each as it finishes."""
    print(f"\n{part.title}", flush=True)
    figures = []
    for figure in part.figures:
        print(figure.text(), flush=True)
        figures.append(figure)
    return part, figures


def _files(machine: dict[str, str], quick: bool, parts: list[tuple[Part, list[Figure]]]) -> dict[str, str]:
    """Return the texts to write, by the name of the file."""
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
    """Return a chart of the times to solve games, as SVG."""
    series = {growth.QUESTIONS[metric]: growth.points_of(figures, metric) for metric in METRICS}
    return svg_growth(series, f"Seconds to solve a game, {machine['cores']} cores of {machine['processor']}")


def _table(machine: dict[str, str], quick: bool, parts: list[tuple[Part, list[Figure]]]) -> str:
    lines = ["# Measured figures", "", f"Measured by `scripts/bench{' --quick' if quick else ''}` in one run.", ""]
    lines += [f"- {name}: {value}" for name, value in machine.items()]
    for part, figures in parts:
        columns = ("what", "measured", "ratio", "required")[: 4 if any(figure.bound for figure in figures) else 3]
        lines += ["", f"## {part.title}", "", part.note, "", _row(*columns), _row(*["---"] * len(columns))]
        lines += [_row(*figure.cells()[: len(columns)]) for figure in figures]
    return "\n".join([*lines, "", "![how the time grows](growth.svg)", ""])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
