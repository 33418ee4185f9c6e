"""Reductions whose last elements are less than a vector: each counts once in a sum, and a maximum sees what is NaN wherever it is; and zeros that keep their sign."""
#: M=3 N=1; M=5 N=15; M=9 N=17; M=4 N=31; M=3 N=47; M=2 N=63; M=2 N=65; M=5 N=100

import htp
from htp import In, Out, f32, f64, i32
from htp_tile import Tensor, cast, exp, kernel, reduce_max, reduce_min, reduce_sum, tanh, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def last_of_a_row(
    x: In[Tensor[f32, M, N]],
    share: Out[Tensor[f32, M, N]],
    top: Out[Tensor[f32, M, 1]],
    low: Out[Tensor[f32, M, 1]],
    total: Out[Tensor[i32, M, 1]],
    far: Out[Tensor[f32, M, N]],
    sign: Out[Tensor[f64, M, N]],
) -> None:
    for i in tiles(M, 4):
        row = x[i, :]
        e = exp(row - reduce_max(row, axis=1))
        share[i, :] = e / reduce_sum(e, axis=1)
        none = row - row
        rare = where(row > 2.2, none / none, row)
        top[i, :] = reduce_max(rare, axis=1)
        low[i, :] = reduce_min(where(rare > 0.0, none, rare), axis=1)
        total[i, :] = reduce_sum(cast(row * 100.0, i32), axis=1)
        far[i, :] = exp(row * 60.0)
        wide = cast(row, f64)
        sign[i, :] = 1.0 / tanh(where(wide > 0.5, 0.0, where(wide < -0.5, -0.0, wide)))
