"""Rows of which an element is above a limit, one behind the other: how many these are, data decides."""

import htp
from htp import In, InOut, Out, f32, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, full, holds, reduce_max

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def compaction(x: In[Tensor[f32, M, N]], limit: f32, y: InOut[Tensor[f32, M, N]], count: Out[Tensor[i32, 1]]) -> None:
    kept = channel(f32, 1, N, capacity=2, checked=True)

    @process
    def choose() -> None:
        for m in range(M):
            row = x[m, :]
            if holds(reduce_max(row, axis=1) > limit):
                kept.put(row)
        kept.close()

    @process
    def store() -> None:
        n = 0
        for row in kept:
            y[n, :] = row
            n += 1
        count[0] = full(i32, n, 1)
