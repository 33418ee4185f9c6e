"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, argmax, kernel, reduce_any, reduce_prod, reshape, scan_max, scan_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, 12]], s: Out[Tensor[f32, M, N]], t: Out[Tensor[f16, M, 3, 4]], n: Out[Tensor[i32, M, 1]], m: Out[Tensor[bool_, M, 1]]) -> None:
    for i in tiles(M, 4):
        s[i, :] = scan_max(x[i, :], axis=1) * 2.0
        t[i, :, :] = reshape(scan_sum(h[i, :], axis=1), i, 3, 4)
        n[i, :] = argmax(x[i, :] * reduce_prod(x[i, :], axis=1), axis=1)
        m[i, :] = reduce_any(x[i, :] < 0.0, axis=1)
