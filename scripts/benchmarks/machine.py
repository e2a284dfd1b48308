"""Describe the machine on which a benchmark runs."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path


def describe_machine() -> dict[str, str]:
    """Return the facts that figures depend on: processor, memory, versions and load."""
    return {
        "processor": _first_value("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": _first_value("/proc/meminfo", "MemTotal") or "unknown",
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "C compiler": _compiler(),
        "load before": load(),
    }


def _compiler() -> str:
    """Return the first line of the C compiler's version."""
    try:
        done = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return "none"
    return done.stdout.partition("\n")[0] or "none"


def load() -> str:
    """Return the load averages of the last 1, 5 and 15 minutes; about 0 on an idle machine."""
    return " ".join(f"{average:.2f}" for average in os.getloadavg())


def _first_value(path: str, name: str) -> str:
    """Return the value of the first line `name: value` in a system file, or an empty string."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    found = (line.partition(":")[2].strip() for line in lines if line.startswith(name))
    return next(found, "")
