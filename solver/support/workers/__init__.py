"""Run jobs in processes: a crash or a hang costs one job, and the others are done all the same.

with WorkerPool(partial(TrustedWorker, recipe), size=2) as pool:
    for reply in pool.run(jobs, len(jobs)):
        print(reply.result)

A `TrustedWorker` runs code of ours: jobs and results are any objects. An `IsolatedWorker` (`workers.isolated`) runs
code of anybody: it sends plain data, has bounds, and nothing that it starts outlives it. An `InProcessWorker`
(`workers.inprocess`) is for where no process can be started.
"""

from solver.support.workers.contract import Done, Ended, Failed, Ready, Runner, Worker
from solver.support.workers.output import last_line
from solver.support.workers.pool import LossKind, Lost, Reply, WorkerPool
from solver.support.workers.sheet import Sheet
from solver.support.workers.trusted import RunnerRecipe, TrustedWorker

__all__ = [
    "Done",
    "Ended",
    "Failed",
    "LossKind",
    "Lost",
    "Ready",
    "Reply",
    "Runner",
    "RunnerRecipe",
    "Sheet",
    "TrustedWorker",
    "Worker",
    "WorkerPool",
    "last_line",
]
