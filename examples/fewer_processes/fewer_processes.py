"""Rows dealt out to four workers and gathered again, by seven processes; its schedule has five."""

import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, channels, pipeline, process, schedule
from htp_tile import Tensor, exp, reduce_max, reduce_sum

M = htp.dim("M")
N = htp.dim("N")
WORKERS = 4


@pipeline
def rows(x: In[Tensor[f32, M, WORKERS, N]], y: Out[Tensor[f32, M, WORKERS, N]]) -> None:
    todo = channels(WORKERS, f32, 1, 1, N, capacity=2)
    done = channels(WORKERS, f32, 1, 1, N, capacity=2)
    ready = channel(f32, 1, 1, N, capacity=2)

    @process
    def scatter() -> None:
        for m in range(M):
            for w in range(WORKERS):
                todo[w].put(x[m, w, :])

    @process(grid=WORKERS)
    def work(w: int) -> None:
        for _m in range(M):
            row = todo[w].get()
            e = exp(row - reduce_max(row, axis=2))
            done[w].put(e / reduce_sum(e, axis=2))

    @process
    def gather() -> None:
        for _m in range(M):
            for w in range(WORKERS):
                ready.put(done[w].get())

    @process
    def store() -> None:
        for m in range(M):
            for w in range(WORKERS):
                y[m, w, :] = ready.get()


@schedule(rows)
def fewer_processes(s: Schedule) -> None:
    s.chain("gather", "store")
    s.bundle("work", 2)
