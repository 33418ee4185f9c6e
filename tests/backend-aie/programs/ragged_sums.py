"""Sums of squares along blocks of which the last one is filled up: squares of zeros add nothing."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, sqrt, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def ragged_sums(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 4):
        total = zeros(f32, i, 1)
        for j in tiles(N, 32):
            block = x[i, j]
            total = total + reduce_sum(block * block, axis=1)
        y[i, :] = sqrt(total)
