"""The logarithm of the sum of the exponentials of each row, by its maximum, so that no exponential overflows."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, log, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def logsumexp(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        top = reduce_max(row, axis=1)
        y[i, :] = log(reduce_sum(exp(row - top), axis=1)) + top
