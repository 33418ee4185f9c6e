"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, K, N]], c: Out[Tensor[f16, M, N]], s: Out[Tensor[f16, M, 1]]) -> None:
    for i in tiles(M, 8):
        p = matmul(a[i, :], b[:, :])
        c[i, :] = p * 0.1
        s[i, 0] = reduce_sum(p, axis=1)
