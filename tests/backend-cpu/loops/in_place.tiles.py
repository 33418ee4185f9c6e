"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
import htp_tile as tile
from htp_tile import Tensor, Tile, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_min, reduce_sum, sqrt, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: InOut[Tensor[i32, M, M]], y: InOut[Tensor[i32, M, M]]) -> None:
    t = x[:, :]
    x[:, :] = transpose(t) + 1
    for n in range(3):
        u = y[:, n]
        y[n, :] = transpose(u) * 2
    y[:, :] = x[:, :] + transpose(x[:, :])
