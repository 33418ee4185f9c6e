"""Rows that are scaled and added up, on a machine that is given loops over elements."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, cast, exp, kernel, tiles

M = htp.dim("M")


@kernel
def scale(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = (exp(row) * 0.5 + row - 1.0) / cast(row, f32)
