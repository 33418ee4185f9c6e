"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, argtopk, gather, index, kernel, load, scatter_add, tiles, whole

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
STEP = 2


@kernel
def k(x: In[Tensor[f32, M, N]], rows: In[Tensor[i32, K]], sum: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, K, N]], t: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(K, 8):
        chosen = rows[i]
        y[i, :] = x[chosen, :] + load(x, i * STEP - 1, whole, outside=0.0)
        scatter_add(sum, x[chosen, :], chosen, whole)
    for i in tiles(M, 4):
        row = x[i, :] * 2.0
        t[i, :] = gather(row, argtopk(row, 4, axis=1), axis=1)
    for p in range(index(rows[0])):
        sum[p, :] = x[p, :]
