"""The sum of the rows so far; of one row the loop is gone, and what it stores is the block that leaves."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def running_total(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    total = zeros(f32, 1, N)
    for p in range(M):
        total = total + x[p, :]
        y[p, :] = total
