"""Places that count, of blocks and of whole dimensions, in tiles of several dimensions too."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, cast, iota, kernel, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def counted(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        place = iota(i32, i, N, axis=0) * 3 + iota(i32, 1, N, axis=1)
        y[i, :] = where(iota(i32, 1, N, axis=1) <= iota(i32, i, 1, axis=0), row, cast(place, f32))
