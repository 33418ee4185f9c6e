"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(q: In[Tensor[f32, M, 32]], keys: In[Tensor[f32, N, 32]], values: In[Tensor[f32, N, 32]], o: Out[Tensor[f32, M, 32]]) -> None:
    for i in tiles(M, 8):
        s = matmul(q[i, :], transpose(keys[:, :])) * 0.176776695
        e = exp(s - reduce_max(s, axis=1))
        o[i, :] = matmul(e, values[:, :]) / reduce_sum(e, axis=1)
