"""Processes in which engines run: a crash or a hang costs one job, and the others are done all the same.

with WorkerPool(recipe, WorkerOptions(size=2)) as pool:
    for reply in pool.run(jobs, len(jobs), limit=10):
        print(reply.result, reply.output)

Every worker shares a sheet of memory with this process (see `sheet`). There it notes its job and when the answer is
due, so that a worker whose engine is stuck, in Python or in compiled code, can be ended and replaced.
"""

from solver.support.workers.output import last_line
from solver.support.workers.pool import LossKind, Lost, Progress, Reply, StopRule, WorkerPool
from solver.support.workers.recipe import Runner, RunnerRecipe, WorkerOptions
from solver.support.workers.sheet import Sheet

__all__ = [
    "LossKind",
    "Lost",
    "Progress",
    "Reply",
    "Runner",
    "RunnerRecipe",
    "Sheet",
    "StopRule",
    "WorkerOptions",
    "WorkerPool",
    "last_line",
]
