"""Rows times columns; of a single block both are counted alike, and the host makes one tensor of counts."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, cast, iota, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def table(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        times = (iota(i32, 1, N, axis=1) + 2) * (iota(i32, i, 1, axis=0) + 3)
        y[i, :] = x[i, :] * cast(times, f32)
