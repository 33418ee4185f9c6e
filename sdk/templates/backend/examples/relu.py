"""A leaky ReLU, by a mask: values above zero stay, others shrink."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles, where

M = htp.dim("M")
N = htp.dim("N")
SLOPE = 0.01


@kernel
def relu(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        for j in tiles(N, 32):
            v = x[i, j]
            y[i, j] = where(v > 0.0, v, SLOPE * v)
