"""Softmax of each row over the columns up to its own; with --set CAUSAL=False over all of them."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, iota, kernel, reduce_max, reduce_sum, tiles, where

M = htp.dim("M")
N = htp.dim("N")
CAUSAL = True
LOWEST = float("-inf")


@kernel
def masked_softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        if CAUSAL:
            row = where(iota(i32, 1, N, axis=1) <= iota(i32, i, 1, axis=0), row, LOWEST)
        e = exp(row - reduce_max(row, axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)
