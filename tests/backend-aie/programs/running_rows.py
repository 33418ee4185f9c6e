"""A number of each row that goes from block to block of it, in integers."""

import htp
from htp import In, Out, i32
from htp_tile import Tensor, kernel, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def running_rows(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 4):
        total = zeros(i32, i, 1)
        for j in tiles(N, 8):
            total = total + reduce_sum(x[i, j], axis=1)
            y[i, j] = x[i, j] - total
