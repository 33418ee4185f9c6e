"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(u: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, M]], r: Out[Tensor[f32, M, 1]]) -> None:
    best = u[:, :]
    for n in range(3):
        y[:, :] = best + transpose(best)
        best = reduce_sum(best, axis=1)
    r[:, :] = best
