"""Two layers, each normed by another kernel."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, kernel, reduce_mean, reduce_var, rsqrt, tanh, tiles

M = htp.dim("M")
N = htp.dim("N")
SMALL = 1e-5


@kernel
def layernorm(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = (row - reduce_mean(row, axis=1)) * rsqrt(reduce_var(row, axis=1) + SMALL)


@kernel
def two_norms(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    layernorm(x, y)
    for i in tiles(M, 8):
        h[i, :] = tanh(y[i, :]) + x[i, :]
    layernorm(h, y)
