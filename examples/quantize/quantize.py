"""Rows to 8 bits: each row's scale brings its largest magnitude to 127, and q * scale is about x again."""

import htp
from htp import In, Out, f32, i8
from htp_tile import Tensor, cast, kernel, maximum, reduce_max, round, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def quantize(x: In[Tensor[f32, M, N]], q: Out[Tensor[i8, M, N]], scale: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        step = maximum(reduce_max(abs(row), axis=1), 1e-12) / 127.0
        q[i, :] = cast(round(row / step), i8)
        scale[i, :] = step
