"""Rows too long to be loaded two at a time, of an odd number of elements of two bytes."""

import htp
from htp import In, Out, bf16
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def odd_lines(x: In[Tensor[bf16, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 1):
        y[i, :] = x[i, :] + x[i, :]
