"""Clamps a matrix to a range."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, maximum, minimum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def clamp(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = minimum(maximum(x[i, :], -1.0), 1.0)
