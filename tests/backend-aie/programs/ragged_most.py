"""Sums of the largest and of the smallest elements of parts of rows, the last of which is filled up: with what is beyond every element."""

import htp
from htp import In, Out, i32
from htp_tile import Tensor, kernel, reduce_max, reduce_min, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def ragged_most(x: In[Tensor[i32, M, N]], w: In[Tensor[i32, M, N]], most: Out[Tensor[i32, M, 1]], least: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 4):
        above = zeros(i32, i, 1)
        below = zeros(i32, i, 1)
        for j in tiles(N, 16):
            above = above + reduce_max(x[i, j], axis=1)
            below = below + reduce_min(w[i, j], axis=1)
        most[i, :] = above
        least[i, :] = below
