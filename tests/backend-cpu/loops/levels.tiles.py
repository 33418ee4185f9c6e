"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, 64, N]], y: Out[Tensor[f32, 64, N]]) -> None:
    for i_0 in htp.parallel(tiles(64, 32), level="core"):
        for i in tiles(i_0, 8):
            for j in tiles(N, 128):
                y[i, j] = x[i, j] * 2.0
