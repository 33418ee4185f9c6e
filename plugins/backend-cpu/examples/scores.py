"""Loops over blocks and over blocks of them, a product and a row's largest: what the emitter writes loops, vectors and buffers for."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, matmul, reduce_max, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def scores(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        total = zeros(f32, i, N)
        for k in tiles(K, 16):
            total = matmul(a[i, k], b[k, :], total)
        y[i, :] = exp((total - reduce_max(total, axis=1)) * 0.125)
