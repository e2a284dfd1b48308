"""Detect whether a kernel is being compiled, which takes up to minutes and cannot be interrupted."""

from __future__ import annotations

from typing import Any

from solver.kernels.jit import HAS_NUMBA

event: Any = None
if HAS_NUMBA:
    from numba.core import event


def is_compiling() -> bool:
    """Return True while some thread of this process compiles a kernel."""
    return any(one.running for one in _COUNTS)


class _Count(event.Listener if HAS_NUMBA else object):  # type: ignore[misc] # Numba has no types
    """A count of the compilations that are running, one within another: Numba lets one thread compile at a time."""

    running = 0

    def on_start(self, _event: object) -> None:
        self.running += 1

    def on_end(self, _event: object) -> None:
        self.running -= 1


_COUNTS = [_Count()] if HAS_NUMBA else []
for _count in _COUNTS:
    event.register("numba:compile", _count)
