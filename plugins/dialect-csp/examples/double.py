"""Doubles a matrix: one process reads its rows, another writes them."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def read() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def write() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get() * 2.0
