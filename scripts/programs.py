"""Ask public programs again, as they are found: `python scripts/programs.py FOLDER [PART OF A NAME ...]`.

FOLDER holds their repositories, each in OWNER+NAME, at the commits that data/facts/programs.json names. Each is given
to `mnk verify` without a line of glue; what is found is compared with the facts, and with --record written to them.
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

from solver.game.rules import Rules
from solver.verification.positions import VISITED_SQUARES, count_plies, sample_positions

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "data" / "facts" / "programs.json"
COUNTED = (
    *("positions", "blunders", "win_to_draw", "win_to_loss", "draw_to_loss", "missed_win_in_one"),
    *("illegal", "exceptions", "timeouts", "wrong_type", "crashes", "changed_board"),
)
POSITIONS = 60  # in which each is asked
PATIENCE = ("--start-time", "60", "--time", "30", "--processes", "1")
SECONDS = 300  # for one program


def ask(program: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return what `mnk verify` finds in a program, or why it can't be asked."""
    file = folder / program["repository"].replace("/", "+") / program["file"]
    if not file.is_file():
        return {"absent": str(file)}
    engine = f"{file}:{program['name']}" if program.get("name") else str(file)
    options = [*program.get("options", []), *PATIENCE, *_choose_positions(program["game"])]
    with tempfile.TemporaryDirectory() as kept:
        report = Path(kept) / "report.json"
        command = ["verify", program["game"], engine, *options, "--json", "--output", str(report)]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "solver", *command],
                cwd=ROOT,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"refused": f"no verdict within {SECONDS} s"}
        if done.returncode == 2 or not report.is_file():
            lines = done.stderr.strip().splitlines() or ["it ended without a word"]
            return {"refused": lines[-1].removeprefix("Error: ").replace(str(file.parent) + "/", "")}
        told = json.loads(report.read_text(encoding="utf-8"))
    found = {name: told[name] for name in COUNTED if name in told}
    readings = {one["condition"]: one["wrong"] for one in told["readings"]}
    return {
        **found,
        "convention": told["convention"],
        "said": [note.replace(f"{file.parent}/", "") for note in told["notes"]],
        "readings": readings,
    }


def _choose_positions(game: str) -> list[str]:
    """The options for some positions of a small game, the same each time; large ones are asked in late positions."""
    rules = Rules.parse(game)
    if rules.squares > VISITED_SQUARES:
        return ["--sample", str(POSITIONS)]
    at = sample_positions(rules, POSITIONS, 0, count_plies(rules))
    return [part for position in at for part in ("--at", position.board)]


def compare(program: dict[str, Any], found: dict[str, Any]) -> str:
    """Describe in a line what was found, and whether it is what the facts say."""
    if "absent" in found:
        return "not there"
    known = program.get("found", {})
    same = all(known.get(name) == found.get(name) for name in COUNTED) and ("refused" in known) == ("refused" in found)
    words = found.get("refused") or f"{found['blunders']} of {found['positions']} give the result away"
    return f"{'as before' if same else 'OTHERWISE'}: {words}"


def main() -> None:
    """Ask all of the programs, or those whose names hold one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    programs = json.loads(FACTS.read_text(encoding="utf-8"))
    chosen = [one for one in programs if not given.parts or any(part in one["repository"] for part in given.parts)]
    with ThreadPoolExecutor(2) as pool:
        for program, found in zip(chosen, pool.map(partial(ask, folder=given.folder.resolve()), chosen), strict=True):
            print(f"{program['repository']} ({program['game']}): {compare(program, found)}", flush=True)
            if given.record:
                program["found"] = found
                FACTS.write_text(json.dumps(programs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
