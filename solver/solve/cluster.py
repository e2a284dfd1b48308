"""The workers that run the tasks of a build: an executor on this machine, or a Dask cluster."""

import logging
import platform
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from solver import __version__
from solver.errors import ClusterError, UnsupportedTable, missing_extra, quoted
from solver.solve.driver import WITHOUT_WORKERS
from solver.support.memory import available_memory
from solver.support.threads import SameThread, available_cores

LOCAL = "local:"  # the address of a cluster on this machine, without the number of workers


class _WorkerFacts(NamedTuple):
    version: str
    machine: str
    cores: int
    memory: int | None  # bytes available on its machine


@dataclass(frozen=True)
class Pool:
    """The workers of an executor on this machine, such as a ProcessPoolExecutor; by default this process alone."""

    executor: Executor = field(default_factory=SameThread)
    size: int = 1
    chosen_threads: int | None = None  # threads of each worker; None for its share of the cores

    @property
    def is_here(self) -> bool:
        """True if this process is the only worker."""
        return isinstance(self.executor, SameThread)

    @property
    def threads(self) -> int:
        """The number of threads of each worker."""
        return self.chosen_threads or max(1, available_cores() // self.size)

    def count(self) -> int:
        """Return the current number of workers."""
        return self.size

    def measure(self) -> tuple[int, int | None]:
        """Return each worker's number of threads and its memory in bytes (None if unknown)."""
        memory = available_memory()
        return self.threads, None if memory is None else memory // self.size


@dataclass(frozen=True)
class Cluster:
    """The workers of a Dask cluster, each of which runs one task at a time."""

    client: Any  # a distributed.Client, which has no types
    threads: int | None = None  # threads of each worker; None for all cores of its machine
    is_here = False

    @cached_property
    def executor(self) -> Executor:
        """The executor for the tasks. It runs a task again if the task's worker dies."""
        executor: Executor = self.client.get_executor(pure=False)
        return executor

    def count(self) -> int:
        """Return the current number of workers."""
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    def measure(self) -> tuple[int, int | None]:
        """Return the largest number of threads and the smallest memory in bytes (None if unknown) of any worker.

        Waits for the first worker. Raises UnsupportedTable if a worker has another version of this package. Raises
        ClusterError if a worker lacks the package or no worker connects in time.
        """
        try:
            self.client.wait_for_workers(1, WITHOUT_WORKERS)
        except TimeoutError as error:
            raise ClusterError(
                f"The cluster had no workers for {WITHOUT_WORKERS:.0f} s; start some and give the same command again."
            ) from error
        found = self.client.run(_describe_worker, on_error="return")
        for address, worker in found.items():
            if isinstance(worker, Exception):
                raise ClusterError(
                    f"The worker {address} can't run this package ({worker}); install version {__version__} there."
                ) from worker
            if worker.version != __version__:
                raise UnsupportedTable(
                    f"The worker {address} has version {worker.version} of this package, but this is {__version__}; "
                    f"install the same version on all machines."
                )
        beside = Counter(worker.machine for worker in found.values())
        shares = [worker.memory // beside[worker.machine] for worker in found.values() if worker.memory is not None]
        known = self.client.scheduler_info(n_workers=-1)["workers"].values()
        limits = [worker["memory_limit"] for worker in known if worker["memory_limit"]]  # 0 means no limit
        most_threads = self.threads or max([worker.cores for worker in found.values()], default=1)
        return most_threads, min([*shares, *limits], default=None)


Workers = Pool | Cluster


def workers_of(given: object | None) -> Workers:
    """Return the workers that `given` stands for.

    `given` is a number of threads of this process (None: all cores), an Executor on this machine, or a
    distributed.Client.
    """
    if isinstance(given, Pool | Cluster):
        return given
    if given is None or isinstance(given, int):
        return Pool(chosen_threads=given)
    if isinstance(given, Executor):
        return Pool(given, getattr(given, "_max_workers", available_cores()))
    return Cluster(given)


def silence_libraries() -> None:
    """Hide the log messages of Dask and of object stores.

    They are not needed, because the build repeats failed tasks or raises one error.
    """
    for name in ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    sys.unraisablehook = lambda _: None  # hides errors such as a connection closed at exit


@contextmanager
def open_cluster(address: str) -> Iterator[Cluster]:
    """Yield the cluster whose scheduler is at an address such as tcp://host:8786.

    The address "local:N" starts N workers on this machine. Raises MissingExtra without the extra `cluster`, and
    ClusterError if the address is invalid or no scheduler answers.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise missing_extra("A build on a cluster", "cluster", "leave out --cluster") from error
    silence_libraries()  # now, because importing Dask sets the levels of its loggers
    with ExitStack() as stack:
        if address.startswith(LOCAL):
            count = address.removeprefix(LOCAL)
            if not count.isdecimal() or int(count) == 0:
                raise ClusterError(
                    f"The cluster {quoted(address)} has no number of workers; write for example local:4."
                )
            # By default Dask removes a worker that dies twice in 15 s, although it is started again, and stops one
            # that uses much memory, although a build plans its use.
            quiet = {"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"}
            stack.enter_context(dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day", **quiet}))
            here = LocalCluster(
                int(count),
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=None,  # no page of statistics
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # any free port, because 8787 may be taken
            )
            stack.enter_context(here)
            yield Cluster(stack.enter_context(Client(here)), max(1, available_cores() // int(count)))
            return
        try:
            client = stack.enter_context(Client(address))
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(
                f"No scheduler answers at {quoted(address)} ({error}); start one with `dask scheduler`, or use local:4."
            ) from error
        yield Cluster(client)


def _describe_worker() -> _WorkerFacts:
    return _WorkerFacts(__version__, platform.node(), available_cores(), available_memory())
