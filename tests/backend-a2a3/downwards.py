"""Ranges that run down: of sizes, with steps, one in the other."""

import htp
from htp import In, InOut, f32
from htp_tile import Tensor, full, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def downwards(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for m in range(M - 2, -1, -1):
        y[m, :] = y[m + 1, :] * 0.5 + x[m, :]
    for m in range(M - 1, 1, -3):
        y[m, :] = y[m, :] + m
    for i in tiles(M, 8):
        rows = y[i, :]
        for k in range(5, 0, -2):
            for n in range(k, 0, -1):
                rows = rows * 0.75 + (n - k)
        y[i, :] = rows * full(f32, 2.0, 1, 1) ** 2
