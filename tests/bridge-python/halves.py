"""Means of neighbours, with divisions by powers of two."""

import htp
from htp import In, Out, f32, f64
from htp_tile import Tensor, kernel, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def halves(x: In[Tensor[f32, M, N]], w: In[Tensor[f64, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f64, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            v = x[i, j]
            # the mean, four times
            mean = reduce_sum(v, axis=1) / 16.0  # of a block
            y[i, j] = (v - mean) / 4 + v * 2.0
            z[i, j] = w[i, j] / 0.5 / 3.0 - w[i, j] * 2
