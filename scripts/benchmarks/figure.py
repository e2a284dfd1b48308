"""One measured figure, and the clocks it is measured with."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Figure:
    """What was measured. `bound` is what was asked for; `ratio` says how many times `other` it is."""

    what: str
    value: float
    unit: str
    bound: str = ""
    ratio: float | None = None
    other: str = ""

    def text(self) -> str:
        """The figure in words."""
        words = [f"{self.value:.3g} {self.unit}"]
        if self.ratio is not None:
            words.append(f"{self.ratio:.3g} times {self.other}")
        if self.bound:
            words.append(f"asked for: {self.bound}")
        return "; ".join(words)


def seconds(work: Callable[[], object], repeat: int = 5) -> float:
    """The median time of a piece of work, after one run that warms it up."""
    work()
    times = []
    for _ in range(repeat):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def process(code: Sequence[str], folder: Path, environment: dict[str, str], expected: int = 0) -> tuple[float, float]:
    """(seconds, peak memory in MB) of a Python process with these arguments, run in `folder`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    start = perf_counter()
    done = subprocess.run([sys.executable, *code], cwd=folder, env=environment, capture_output=True, check=False)
    elapsed = perf_counter() - start
    if done.returncode != expected:
        raise SystemExit(f"{' '.join(code)} failed:\n{done.stderr.decode()}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return elapsed, max(peak, before) / 1024
