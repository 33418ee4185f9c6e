"""Integers of several widths: they wrap around, and divide toward zero."""

import htp
from htp import In, Out, bool_, i16, i32
from htp_tile import Tensor, absolute, cast, kernel, maximum, reduce_any, reduce_max, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def integers(a: In[Tensor[i32, M, N]], b: In[Tensor[i16, M, N]], most: Out[Tensor[i32, M]], any: Out[Tensor[bool_, 1, N]], y: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        wide = cast(b[i, :], i32)
        ratio = a[i, :] / wide
        y[i, :] = where((ratio > 3) & ~(wide == 7), absolute(ratio) * 65537, ratio - 1)
        most[i] = reduce_max(maximum(ratio, wide), axis=1)
    for j in tiles(N, 16):
        any[:, j] = reduce_any(a[:, j] < 0, axis=0)
