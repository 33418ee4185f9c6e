"""Elements beside the diagonal; of a single block rows and columns are counted alike."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, iota, kernel, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def band(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        d = iota(i32, 1, N, axis=1) - iota(i32, i, 1, axis=0)
        y[i, :] = where((d < 3) & (d > -3), x[i, :], 0.0)
