"""Run the tasks of a build: in this process, or on whatever a concurrent.futures.Executor stands for."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Protocol

from solver.support.memory import available_memory
from solver.support.threads import SameThread, available_cores


class Workers(Protocol):
    """Processes that solve a shard each."""

    @property
    def executor(self) -> Executor:
        """What tasks are submitted to."""

    @property
    def threads(self) -> int | None:
        """The threads of a worker; None for all cores of its machine."""

    def count(self) -> int:
        """Count the workers there are at this moment."""

    def cores(self) -> int:
        """Return the most cores that a worker has."""

    def least_memory(self) -> int | None:
        """Return the least memory that a worker has for itself, in bytes; None where no system says it.

        Raises UnsupportedTable or ClusterError when one of them can't run the tasks.
        """


@dataclass(frozen=True)
class Pool:
    """The workers of an executor that share this machine, such as a ProcessPoolExecutor; by default this process."""

    executor: Executor = field(default_factory=SameThread)
    size: int = 1

    @property
    def threads(self) -> int | None:
        """Share out the cores, see Workers."""
        return max(1, available_cores() // self.size)

    def count(self) -> int:
        """Count the workers, see Workers."""
        return self.size

    def cores(self) -> int:
        """Count the cores, see Workers."""
        return available_cores()

    def least_memory(self) -> int | None:
        """Share out the memory, see Workers."""
        memory = available_memory()
        return None if memory is None else memory // self.size
