"""Blocks of single bytes whose rows and columns are no multiples of four."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, cast, kernel, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def odd_bytes(x: In[Tensor[i8, M, N]], low: Out[Tensor[i8, M, N]], total: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 3):
        low[i, :] = x[i, :] & 15
        total[i, :] = reduce_sum(cast(x[i, :], i32), axis=1)
