"""Blocks that are too large for a core, of which some rows are computed at a time."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def large(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 512):
        for j in tiles(N, 128):
            y[i, j] = exp(x[i, j]) + x[i, j]
