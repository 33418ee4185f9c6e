"""Rows of which what is right of the diagonal does not count: places of elements are counted, and lie in memory as the device has them."""

from htp import In, Out, f32, i32
from htp_tile import Tensor, iota, kernel, tiles, where

M = 32
N = 32


@kernel
def masked(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(iota(i32, 1, N, axis=1) <= iota(i32, i, 1, axis=0), x[i, :], 0.0)
