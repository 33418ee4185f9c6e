"""Whole numbers of floats, and ints: to the nearest with halves to even, down, up and toward zero."""

import htp
from htp import In, Out, f32, i8
from htp_tile import Tensor, cast, ceil, floor, kernel, round, tiles, trunc, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def roundings(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[i8, M, N]]) -> None:
    for i in tiles(M, 4):
        row = x[i, :]
        halves = floor(row * 8.0) * 0.5
        y[i, :] = where(row < -1.0, ceil(row), where(row > 1.0, trunc(row), round(halves)))
        upwards = where(row < 0.5, cast(row, i8, rounding="up"), cast(row * 16.0, i8, rounding="down"))
        z[i, :] = where(row < -0.5, cast(halves, i8, rounding="nearest"), upwards)
