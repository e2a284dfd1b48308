"""Run jobs in processes: a crash or a hang costs one job, and the others are done all the same.

with WorkerPool(recipe, WorkerOptions(size=2)) as pool:
    for reply in pool.run(jobs, len(jobs), limit=10):
        print(reply.result, reply.output)

Every worker shares a sheet of memory with this process. There it notes its job and when the answer is due, so that a
worker whose engine is stuck, in Python or in compiled code, can be ended and replaced.
"""

from solver.support.workers.child import RunnerRecipe, Sheet, WorkerOptions
from solver.support.workers.output import last_line
from solver.support.workers.pool import LossKind, Lost, Reply, WorkerPool

__all__ = ["LossKind", "Lost", "Reply", "RunnerRecipe", "Sheet", "WorkerOptions", "WorkerPool", "last_line"]
