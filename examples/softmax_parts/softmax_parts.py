"""Softmax along rows that are too long for a core's memory: two passes over parts of them."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, full, kernel, maximum, reduce_max, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def softmax_parts(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        most = full(f32, -3e38, i, 1)
        total = zeros(f32, i, 1)
        for j in tiles(N, 32):
            part = x[i, j]
            above = maximum(most, reduce_max(part, axis=1))
            total = total * exp(most - above) + reduce_sum(exp(part - above), axis=1)
            most = above
        for k in tiles(N, 32):
            y[i, k] = exp(x[i, k] - most) / total
