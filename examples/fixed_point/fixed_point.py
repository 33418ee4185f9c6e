"""Fixed-point numbers with six fraction bits: a scaled product that rounds toward zero, saturated to a range."""

import htp
from htp import In, Out, i32
from htp_tile import Tensor, kernel, maximum, minimum, tiles

M = htp.dim("M")
N = htp.dim("N")
ONE = 64
LIMIT = 4096


@kernel
def fixed_point(x: In[Tensor[i32, M, N]], gain: In[Tensor[i32, M, 1]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 4):
        for j in tiles(N, 16):
            scaled = x[i, j] * gain[i, :] / ONE
            y[i, j] = maximum(minimum(scaled, LIMIT), -LIMIT)
