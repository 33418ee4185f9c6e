"""Softmax of each row of a matrix."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        e = exp(row - reduce_max(row, axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)
