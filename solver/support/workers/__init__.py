"""Run jobs in processes: a crash or a hang costs one job, and the others are done all the same.

with WorkerPool(partial(TrustedWorker, recipe), size=2) as pool:
    for reply in pool.run(jobs, len(jobs)):
        print(reply.result)

`pool` has the pool. A `TrustedWorker` (`trusted`) runs code of ours: jobs and results are any objects. An
`IsolatedWorker` (`isolated`) runs code of anybody: it sends plain data, has bounds, and nothing that it starts outlives
it. An `InProcessWorker` (`inprocess`) is for where no process can be started.
"""
