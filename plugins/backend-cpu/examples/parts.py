"""Softmax of rows that lie as far apart as a call's arrays say, stored by columns."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
S0 = htp.dim("S0")
S1 = htp.dim("S1")


@kernel
def parts(x: In[Tensor[f32, M, N, htp.layouts.strided((M, N), (S0, 1))]], y: Out[Tensor[f32, M, N, htp.layouts.strided((M, N), (1, S1))]]) -> None:
    for i in tiles(M, 8):
        e = exp(x[i, :] - reduce_max(x[i, :], axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)
