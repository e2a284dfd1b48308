"""Which machine this is."""

import os
import platform
from importlib.metadata import version
from pathlib import Path


def describe_machine() -> dict[str, str]:
    """What a figure can only be compared with: processor, memory, versions, and how busy the machine is."""
    return {
        "processor": _first_value("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": _first_value("/proc/meminfo", "MemTotal") or "unknown",
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "load before": load(),
    }


def load() -> str:
    """How many processes wanted to run in the last 1, 5 and 15 minutes; about 0 on a quiet machine."""
    return " ".join(f"{average:.2f}" for average in os.getloadavg())


def _first_value(path: str, name: str) -> str:
    """The value behind the first line `name: value` of a file of the system, empty if there is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    found = (line.partition(":")[2].strip() for line in lines if line.startswith(name))
    return next(found, "")
