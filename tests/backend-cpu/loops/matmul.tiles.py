"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], bias: In[Tensor[f32, 1, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for r in tiles(K, 64):
                acc = matmul(a[i, r], b[r, j], acc)
            c[i, j] = maximum(acc + bias[:, j], 0.0)
