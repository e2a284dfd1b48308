"""The type of functions that show the progress of long work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]  # called with the work done and the total, in the same unit
