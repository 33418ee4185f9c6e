"""Rows of an odd number of short elements, one at a time, and what belongs to their columns."""

import htp
from htp import In, Out, i16
from htp_tile import Tensor, kernel, maximum, reduce_max, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def odd_rows(x: In[Tensor[i16, M, N]], w: In[Tensor[i16, N]], y: Out[Tensor[i16, M, N]], most: Out[Tensor[i16, M, 1]]) -> None:
    for i in tiles(M, 1):
        row = maximum(x[i, :], w[:])
        y[i, :] = row
        most[i, :] = reduce_max(row, axis=1)
