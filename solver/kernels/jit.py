"""The one place where compile flags are set."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def jit(function: F) -> F:
    """Compile with Numba: cached on disk, and free of the interpreter lock so that threads run side by side."""
    return cast(F, njit(cache=True, nogil=True)(function))
