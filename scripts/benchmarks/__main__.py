"""Run the measurements, show them as they come, and write them down."""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks import compared, required
from benchmarks.figure import Figure
from benchmarks.machine import describe_machine

DATA = Path(__file__).resolve().parents[2] / "data" / "benchmarks"


def main() -> None:
    """The whole program."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure the solver on this machine.")
    parser.add_argument("--quick", action="store_true", help="leave out what takes more than some seconds")
    parser.add_argument("--out", type=Path, default=DATA, metavar="FOLDER", help=f"where to write, by default {DATA}")
    arguments = parser.parse_args()
    machine = describe_machine()
    print("\n".join(f"{name}: {value}" for name, value in machine.items()), flush=True)
    figures = list(_shown(_measure(arguments.quick)))
    arguments.out.mkdir(parents=True, exist_ok=True)
    results = {"machine": machine, "quick": arguments.quick, "figures": [asdict(figure) for figure in figures]}
    (arguments.out / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (arguments.out / "results.md").write_text(_table(machine, figures), encoding="utf-8")
    print(f"written to {arguments.out}")


def _measure(quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        yield from required.figures(Path(folder), quick)
        yield from compared.figures(Path(folder), quick)


def _shown(figures: Iterator[Figure]) -> Iterator[Figure]:
    for figure in figures:
        print(f"{figure.what}: {figure.text()}", flush=True)
        yield figure


def _table(machine: dict[str, str], figures: list[Figure]) -> str:
    facts = [f"- {name}: {value}" for name, value in machine.items()]
    rows = [f"| {figure.what} | {figure.text()} |" for figure in figures]
    return "\n".join(["# Measured figures", "", *facts, "", "| what | measured |", "| --- | --- |", *rows, ""])


if __name__ == "__main__":
    main()
