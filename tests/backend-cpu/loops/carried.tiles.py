"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        best = full(f32, -1.0, i, 1)
        for j in tiles(N, 16):
            best = maximum(best, reduce_max(x[i, j], axis=1))
        if M > 8:
            best = best * 2.0
        else:
            best = best + 1.0
        y[i, 0] = best
        for j in tiles(N, 16):
            z[i, j] = x[i, j] / best
