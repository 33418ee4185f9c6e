"""Sums of exponents along rows whose last block is filled up, in bf16: what fills it up has no exponent."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, exp, full, kernel, maximum, reduce_max, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def ragged_exponents(x: In[Tensor[bf16, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 4):
        most = full(f32, -3e38, i, 1)
        total = zeros(f32, i, 1)
        for j in tiles(N, 16):
            part = cast(x[i, j], f32)
            above = maximum(most, reduce_max(part, axis=1))
            total = total * exp(most - above) + reduce_sum(exp(part - above), axis=1)
            most = above
        y[i, :] = total
