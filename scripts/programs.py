"""Ask public programs again, as they are found: `python scripts/programs.py FOLDER [PART OF A NAME ...]`.

FOLDER holds their repositories, each in OWNER+NAME, at the commits that data/facts/programs.json names. Each is given
to `mnk verify` without a line of glue, and those that have edits of a wrapper with that too; what is found is compared
with the facts, and with --record written to them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from solver.game.games import parse_game
from solver.verification.positions import VISITED_SQUARES, count_plies, sample_positions

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "data" / "facts" / "programs.json"
COUNTED = (
    *("positions", "blunders", "win_to_draw", "win_to_loss", "draw_to_loss", "missed_win_in_one"),
    *("illegal", "exceptions", "timeouts", "wrong_type", "crashes", "changed_board"),
)
POSITIONS = 60  # in which those are asked that take too long for all
PATIENCE = ("--start-time", "60", "--time", "30", "--processes", "1")
SECONDS = 600  # for one program, each time


def ask(program: dict[str, Any], folder: Path, some: bool) -> dict[str, Any]:
    """Return what `mnk verify` finds in a program, or why it can't be asked: as it is, and with its wrapper edited."""
    file = folder / program["repository"].replace("/", "+") / program["file"]
    if not file.is_file():
        return {"absent": str(file)}
    engine = f"{file}:{program['name']}" if program.get("name") else str(file)
    found = {"found": _ask_engine(program["game"], engine, program.get("options", []), some)}
    if "wrapper" in program:
        with tempfile.TemporaryDirectory() as kept:
            wrapper = Path(kept) / "wrapper.py"
            _run("verify", program["game"], engine, "--wrapper", str(wrapper))
            wrapper.write_text(_edit(wrapper.read_text(encoding="utf-8"), program["wrapper"]), encoding="utf-8")
            found["wrapped"] = _ask_engine(program["game"], str(wrapper), [], some)
    text = json.dumps(found).replace(f"{file.parent}/", "").replace(f"{file.stem} in ", "")
    edited: dict[str, Any] = json.loads(text)
    return edited


def _edit(text: str, edits: dict[str, str]) -> str:
    """Put other lines in the place of marked ones, which are counted from 1."""
    lines = text.splitlines(keepends=True)
    marked = [number for number, line in enumerate(lines) if "# <-" in line]
    for place, edit in edits.items():
        number = marked[int(place) - 1]
        indent = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
        lines[number] = "".join(f"{indent}{line}\n" for line in edit.splitlines())
    return "".join(lines)


def _ask_engine(game: str, engine: str, options: list[str], some: bool) -> dict[str, Any]:
    """Ask an engine in all positions of a small game if it is quick enough and not only some are asked for."""
    if parse_game(game).squares > VISITED_SQUARES:
        return _verify(game, engine, [*options, *PATIENCE, "--sample", str(POSITIONS)])
    found = LATE if some else _verify(game, engine, [*options, *PATIENCE])
    return _verify(game, engine, [*options, *PATIENCE, *_choose_positions(game)]) if found == LATE else found


LATE = {"refused": f"no verdict within {SECONDS} s"}


def _verify(game: str, engine: str, options: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as kept:
        report = Path(kept) / "report.json"
        try:
            done = _run("verify", game, engine, *options, "--json", "--output", str(report))
        except subprocess.TimeoutExpired:
            return LATE
        if done.returncode == 2:
            lines = done.stderr.strip().splitlines() or ["it ended without a word"]
            return {"refused": lines[-1].removeprefix("Error: ")}
        told = json.loads(report.read_text(encoding="utf-8"))
    return {
        **{name: told[name] for name in COUNTED if name in told},
        "convention": told["convention"],
        "said": told["notes"],
        "readings": {one["condition"]: one["wrong"] for one in told["readings"]},
    }


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "solver", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )


def _choose_positions(game: str) -> list[str]:
    """The options for some positions of a game, the same each time."""
    rules = parse_game(game)
    at = sample_positions(rules, POSITIONS, 0, count_plies(rules))
    return [part for position in at for part in ("--at", position.board)]


def compare(program: dict[str, Any], found: dict[str, Any]) -> str:
    """Describe in a line what was found, and whether it is what the facts say."""
    if "absent" in found:
        return "not there"
    same = all(_count(program.get(way, {})) == _count(one) for way, one in found.items())
    words = "; ".join(
        f"{way}: {one.get('refused') or '{blunders} of {positions} give the result away'.format(**one)}"
        for way, one in found.items()
    )
    return f"{'as before' if same else 'OTHERWISE'}: {words}"


def _count(found: dict[str, Any]) -> list[Any]:
    return ["refused" in found, *[found.get(name) for name in COUNTED]]


def main() -> None:
    """Ask all of the programs, or those whose names hold one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--some", action="store_true", help=f"ask in {POSITIONS} positions each, not in all")
    parser.add_argument("--at-once", type=int, default=2)
    given = parser.parse_args()
    programs = json.loads(FACTS.read_text(encoding="utf-8"))
    chosen = [one for one in programs if not given.parts or any(part in one["repository"] for part in given.parts)]
    with ThreadPoolExecutor(given.at_once) as pool:
        for program, found in zip(
            chosen, pool.map(partial(ask, folder=given.folder.resolve(), some=given.some), chosen), strict=True
        ):
            print(f"{program['repository']} ({program['game']}): {compare(program, found)}", flush=True)
            if given.record:
                program.update(found if "absent" not in found else {})
                FACTS.write_text(json.dumps(programs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
