"""Rows dealt out to three workers in turn, each of which activates what it gets, and gathered again in order."""

import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, exp

M = htp.dim("M")
N = htp.dim("N")
WORKERS = 3


def silu(row: f32) -> f32:
    gate = exp(-row) + 1.0
    return row / gate


@pipeline
def scatter_gather(x: In[Tensor[f32, M, WORKERS, N]], y: Out[Tensor[f32, M, WORKERS, N]]) -> None:
    todo = channels(WORKERS, f32, 1, 1, N, capacity=2)
    done = channels(WORKERS, f32, 1, 1, N, capacity=2)

    @process
    def scatter() -> None:
        for m in range(M):
            for w in range(WORKERS):
                todo[w].put(x[m, w, :])

    @process(grid=WORKERS)
    def work(w: int) -> None:
        for _m in range(M):
            done[w].put(silu(todo[w].get()))

    @process
    def gather() -> None:
        for m in range(M):
            for w in range(WORKERS):
                y[m, w, :] = done[w].get()
