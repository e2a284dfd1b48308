"""Define what a worker is to its pool: it is given jobs, and sends messages."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol


class Ready(NamedTuple):
    """The runner is made."""

    facts: Any


class Failed(NamedTuple):
    """The runner can't be made."""

    reason: str


class Done(NamedTuple):
    """A job is done."""

    number: int
    result: Any
    output: str = ""
    """The last that was printed meanwhile, where that is captured."""
    seconds: float = 0.0
    """Real time, where it is taken."""
    is_late: bool = False


class Ended(NamedTuple):
    """The job at hand was lost, though the worker goes on."""

    ending: str = ""
    output: str = ""
    is_late: bool = False


Message = Ready | Failed | Done | Ended


class Runner(Protocol):
    """Does jobs inside a worker."""

    facts: Any
    """Sent to the pool once the runner is made."""

    def run(self, job: Any, /) -> Any:
        """Do one job. What it raises ends the worker."""


class Worker(Protocol):
    """A process that is started at once, and what its pool knows of it."""

    jobs: dict[int, Any]
    """Those that it has not answered, by number, in the order in which it does them."""
    limit: float | None
    """Seconds for what it does now."""

    @property
    def is_ready(self) -> bool:
        """Whether its runner is made."""

    @property
    def is_free(self) -> bool:
        """Whether it can be given jobs."""

    @property
    def job(self) -> int:
        """The number of the job at hand; -1 for none."""

    @property
    def notes(self) -> tuple[int, ...]:
        """The notes of that job."""

    @property
    def pipes(self) -> Iterable[Any]:
        """Those by which something may come."""

    def give(self, jobs: dict[int, Any], limit: float | None, *, fresh: bool) -> None:
        """Give it jobs, when it has none, with so many seconds for each; `fresh`: it is to begin as it was made."""

    def recall(self) -> dict[int, Any]:
        """Take back the jobs that it has not begun, where it can be kept from them."""

    def read(self) -> Iterator[Message]:
        """Yield what it has sent; never waits. Raises EOFError or ConnectionError when it has died."""

    def is_late(self) -> bool:
        """Return whether it should have answered, or started, by now."""

    def ending(self) -> str:
        """Return how its process ended."""

    def end(self) -> str:
        """End the process, whatever it does; returns the last that it printed during its job."""
