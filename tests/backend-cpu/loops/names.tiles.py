"""A kernel under test."""

import htp
from htp import In, Out, f32
import htp_tile as tile
from htp_tile import Tensor, Tile, exp, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        t = x[i, :]
        t = t * 2.0
        t = exp(t)
        y[i, :] = t
    for i in htp.parallel(tiles(M, 8)):
        t = x[i, :] + 1.0
        for n in range(3):
            t = t * t
        z[i, :] = t
