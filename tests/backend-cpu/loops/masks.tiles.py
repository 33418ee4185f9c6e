"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f64, M, N]], mask: In[Tensor[u8, M, N]], y: Out[Tensor[f64, M, N]], n: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 4):
        keep = cast(mask[i, :], bool_)
        positive = x[i, :] > 0.0
        y[i, :] = where(keep, sqrt(where(positive, x[i, :], 0.0)), 1.0)
        n[i, 0] = reduce_sum(cast(positive, i32), axis=1)
