"""Each row of a matrix less its mean, and the largest of what is left."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")


@kernel
def rows(x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]], top: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        left = row - reduce_sum(row, axis=1) / 16
        for p in tiles(i, 4):
            y[p, :] = x[p, :] - reduce_sum(x[p, :], axis=1) / 16
        top[i, :] = reduce_max(left, axis=1)
