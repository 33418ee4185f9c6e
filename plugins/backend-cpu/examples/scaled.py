"""Rows that are read, scaled and written by processes of their own: moves to simulate, and loops whose cost is estimated."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def scaled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def read() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for _ in tiles(M, 8):
            done.put(exp(rows.get()) * 0.5)

    @process
    def write() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()
