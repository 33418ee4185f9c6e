"""Rows scaled in one process and summed in another: each has a core of its own."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, reduce_sum

M = 20
N = 32


@pipeline
def steps(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def scale() -> None:
        for m in range(M):
            rows.put(x[m, :] * 3.0)

    @process
    def add_up() -> None:
        for m in range(M):
            y[m, :] = reduce_sum(rows.get(), axis=1)
