"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        c[i] = a[i] + b[i]
