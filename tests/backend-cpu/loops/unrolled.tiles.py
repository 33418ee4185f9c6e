"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[i32, 3, N]], y: Out[Tensor[i32, 3, N]]) -> None:
    for n in htp.unrolled(range(3)):
        for j in htp.pipelined(tiles(N, 100), depth=2):
            if n % 2 == 0 and n < N:
                y[n, j] = x[n, j] / 7
            else:
                y[n, j] = x[n, j] * -2147483648
