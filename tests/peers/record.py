"""The results of `mnk verify` for published engines: `data/facts/engines.json`.

    python -m tests.peers.record            # grades them all again; rewrites the file and the table of the page

Only the measured parts of a record change: version, date, convention and counts.
"""

import json
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

from tests.conftest import ROOT

FILE: Final = ROOT / "data" / "facts" / "engines.json"
PAGE: Final = ROOT / "docs" / "reference" / "grading.md"
NPM: Final = ROOT / "data" / "examples" / "peers" / "node_modules"
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
        **record, "version": installed_version(record), "date": datetime.now(UTC).date().isoformat(),
        "convention": said["convention"], "found": {name: counts[name] for name in COUNTS},
    }  # fmt: skip


def installed_version(record: Record) -> str:
    """Return the version of a package of PyPI or npm that is installed."""
    if record.get("registry") != "npm":
        return version(record["package"])
    return str(json.loads((NPM / record["package"] / "package.json").read_text(encoding="utf-8"))["version"])


def row(record: Record) -> str:
    """Return the cells of an engine in the tables, without the command."""
    found = record["found"]
    beaten = " and ".join(side for side in "XO" if found[f"beaten_as_{side.lower()}"]) or "no"
    cells = [f"{record['package']} {record['version']}"]
    return " | ".join(
        [*cells, *[f"{found[name]:,}" for name in ("blunders", "missed_win_in_one", "slow_wins")], beaten]
    )


def write_table() -> None:
    """Write the rows of all engines to the page."""
    line, text = re.compile(r"^\| `mnk verify [^`]+` \| .+$\n?", re.MULTILINE), PAGE.read_text(encoding="utf-8")
    at = next(line.finditer(text)).start()
    rows = "".join(f"| `{record['command']}` | {row(record)} |\n" for record in records())
    text = line.sub("", text)
    PAGE.write_text(text[:at] + rows + text[at:], encoding="utf-8")


if __name__ == "__main__":
    again = [measured(record) for record in records()]
    FILE.write_text(json.dumps(again, indent=1) + "\n", encoding="utf-8")
    write_table()
