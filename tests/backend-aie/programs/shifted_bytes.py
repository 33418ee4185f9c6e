"""A filter of bytes: what begins between multiples of 4 bytes is taken from a part that begins before it."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, cast, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def shifted_bytes(x: In[Tensor[i8, M + 2, N + 2]], y: Out[Tensor[i32, M, N]]) -> None:
    for m in range(M):
        for j in tiles(N, 8):
            sums = zeros(i32, 1, j)
            for r in range(3):
                for s in range(3):
                    sums = sums + cast(x[m + r, j + s], i32)
            y[m, j] = sums - cast(x[m + 1, j + 1], i32) * 8
