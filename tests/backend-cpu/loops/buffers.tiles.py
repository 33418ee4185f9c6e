"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, buffer, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    whole = buffer(f32, M, N)
    whole[:, :] = exp(x[:, :])
    for i in tiles(M, 16):
        h = buffer(f32, i, 1)
        h[i, 0] = reduce_max(x[i, :], axis=1)
        for j in tiles(i, 4):
            for q in tiles(j, 2):
                y[q, :] = whole[q, :] + h[q, 0]
    for i in tiles(M, 16):
        h = buffer(f32, N, i)
