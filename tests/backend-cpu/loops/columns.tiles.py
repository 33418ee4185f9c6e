"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for j in tiles(N, 32):
        column = x[:, j]
        total = reduce_sum(column, axis=0)
        y[0, j] = total
        z[:, j] = column - total
