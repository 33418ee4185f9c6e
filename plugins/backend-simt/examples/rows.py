"""Softmax of each row, and the rows' sums of squares."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        e = exp(row - reduce_max(row, axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)
        s[i, :] = reduce_sum(row * row, axis=1)
