"""The results of `mnk verify` for published engines: `data/facts/engines.json`.

    python -m tests.peers.record            # grades them all again and rewrites the file

Only the measured parts of a record change: version, date, convention and counts.
"""

import json
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

from tests.conftest import ROOT

FILE: Final = ROOT / "data" / "facts" / "engines.json"
COUNTS: Final = (
    "positions", "blunders", "win_to_draw", "win_to_loss", "draw_to_loss", "missed_win_in_one", "slow_wins",
    "short_defences", "illegal", "exception", "timeout", "wrong_type", "crash", "beaten_as_x", "beaten_as_o",
)  # fmt: skip

Record = dict[str, Any]


def records() -> list[Record]:
    """Return the records of the file."""
    read: list[Record] = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def report(command: str, *more: str) -> dict[str, Any]:
    """Return the report of a command, with more options, run in the project's folder."""
    words = [sys.executable, "-m", "solver", *shlex.split(command)[1:], *more, "--report", "json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def measured(record: Record) -> Record:
    """Return the record with everything in it measured again."""
    said = report(record["command"])
    counts = {"positions": said["positions"], **said["counts"]}
    counts["blunders"] = sum(counts[kind] for kind in ("win_to_draw", "win_to_loss", "draw_to_loss"))
    counts |= {"slow_wins": counts["slow_win"], "short_defences": counts["short_defence"]}
    counts |= {f"beaten_as_{side.lower()}": said["play"][side]["beaten"] for side in "XO"}
    return {
        **record, "version": version(record["package"]), "date": datetime.now(UTC).date().isoformat(),
        "convention": said["convention"], "found": {name: counts[name] for name in COUNTS},
    }  # fmt: skip


if __name__ == "__main__":
    again = [measured(record) for record in records()]
    FILE.write_text(json.dumps(again, indent=1) + "\n", encoding="utf-8")
