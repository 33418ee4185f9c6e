"""Two halves of each row, shuffled: every other place is one's, and those between are the other's."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = 24


@kernel
def every_other(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in range(M):
        y[i, ::2] = x[i, : N // 2]
        y[i, 1::2] = x[i, N // 2 :]
