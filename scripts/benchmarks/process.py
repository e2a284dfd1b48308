"""Run Python in separate processes, to measure their time from the shell, or their memory."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]


def user_environment(**variables: str) -> dict[str, str]:
    """Return the environment variables of a user, whose Python caches bytecode and imports this project's packages."""
    ours = ("PYTHONDONTWRITEBYTECODE", "MNK_DATA")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "scripts"))), **variables}


def run_python(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[float, str]:
    """Run Python in `folder`; return the seconds it took, and its output. Raise SystemExit if it fails."""
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    elapsed = perf_counter() - start
    if done.returncode != 0:
        raise SystemExit(f"python {' '.join(arguments)} failed with exit code {done.returncode}:\n{done.stderr}")
    return elapsed, done.stdout


def run_alone(module: str, game: str, folder: Path) -> dict[str, float]:
    """Run the benchmark `module` as a program for a game; return the facts that it reports (see `report`)."""
    _, printed = run_python(["-m", f"benchmarks.{module}", game, str(folder)], folder, user_environment())
    facts: dict[str, float] = json.loads(printed)
    return facts


def report(**facts: float) -> None:
    """Print the facts measured in this process, for the process that started it."""
    print(json.dumps(facts))


def peak_megabytes() -> float:
    """Return the peak memory of this process so far.

    On Linux, a process inherits `ru_maxrss` from its parent, so that value is used only if VmHWM is missing.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
        return kilobytes * 1024 / 1e6
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
