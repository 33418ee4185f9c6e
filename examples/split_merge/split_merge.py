"""A residual block: each row goes through two processes, and around them; both ways meet again."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, matmul, maximum, reduce_sum, rsqrt, tiles

M = htp.dim("M")
H = 16


@pipeline
def split_merge(x: In[Tensor[f32, M, H]], w: In[Tensor[f32, H, H]], y: Out[Tensor[f32, M, H]]) -> None:
    rows = channel(f32, tiles(M, 8), H, capacity=1)
    skipped = channel(f32, tiles(M, 8), H, capacity=3)  # as many as are on the other way
    normal = channel(f32, tiles(M, 8), H, capacity=1)
    changed = channel(f32, tiles(M, 8), H, capacity=1)

    @process
    def split() -> None:
        for i in tiles(M, 8):
            row = x[i, :]
            rows.put(row)
            skipped.put(row)

    @process
    def normalise() -> None:
        for i in tiles(M, 8):
            row = rows.get()
            normal.put(row * rsqrt(reduce_sum(row * row, axis=1) / 16.0 + 1.0e-5))

    @process
    def change() -> None:
        for i in tiles(M, 8):
            changed.put(maximum(matmul(normal.get(), w[:, :]), 0.0))

    @process
    def merge() -> None:
        for i in tiles(M, 8):
            y[i, :] = skipped.get() + changed.get()
