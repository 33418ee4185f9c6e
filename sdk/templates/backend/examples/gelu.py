"""GELU of a matrix, in its tanh form."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tanh, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def gelu(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 64):
            v = x[i, j]
            inner = 0.7978845608 * (v + 0.044715 * v * v * v)
            y[i, j] = 0.5 * v * (1.0 + tanh(inner))
