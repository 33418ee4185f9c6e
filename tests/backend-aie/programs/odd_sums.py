"""Sums along rows of an odd number of `bf16`, behind a maximum along them."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, exp, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def odd_sums(x: In[Tensor[bf16, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 3):
        row = cast(x[i, :], f32)
        y[i, :] = reduce_sum(exp(row - reduce_max(row, axis=1)), axis=1)
