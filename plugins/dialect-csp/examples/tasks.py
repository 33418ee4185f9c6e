"""A workload with a pipeline as a task, and loops behind it."""

import htp
from htp import In, InOut, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, reduce_max, reduce_sum, tiles
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def softmax(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def shift() -> None:
        for i in tiles(M, 8):
            row = x[i, :]
            rows.put(exp(row - reduce_max(row, axis=1)))

    @process
    def divide() -> None:
        for i in tiles(M, 8):
            e = rows.get()
            y[i, :] = e / reduce_sum(e, axis=1)


@workload
def tasks(x: In[Tensor[f32, M, N]], p: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    softmax(x, p)
    for i in P(M):
        y[i, :] = p[i, :] + x[i, :]
