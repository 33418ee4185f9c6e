"""Rows, scaled by their sums: `tile.equivalence` shows of each pass that it keeps what this computes."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def scaled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = row / reduce_sum(row, axis=1)
