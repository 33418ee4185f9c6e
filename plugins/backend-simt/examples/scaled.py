"""Columns and rows of factors, spread over a matrix."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def scaled(x: In[Tensor[f32, M, N]], u: In[Tensor[f32, M, 1]], v: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 128):
            y[i, j] = x[i, j] * u[i, :] + v[:, j]
