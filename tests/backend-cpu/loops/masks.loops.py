"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f64, M, N]], mask: In[Tensor[u8, M, N]], y: Out[Tensor[f64, M, N]], n: Out[Tensor[i32, M, 1]]) -> None:
    for i_at in range(0, M, 4):
        i_n = min(4, M - i_at)
        for p in range(i_n):
            reduce_sum: i32 = cpu.splat(i32, 0)
            for q in htp.vectorized(range(N)):
                x_tile: f64 = cpu.get(x, i_at + p, q)
                positive: bool_ = cpu.gt(x_tile, 0.0)
                cast: i32 = cpu.cast(positive, i32)
                reduce_sum = cpu.add(reduce_sum, cast)
                where: f64 = cpu.where(positive, x_tile, 0.0)
                sqrt: f64 = cpu.sqrt(where)
                mask_tile: u8 = cpu.get(mask, i_at + p, q)
                keep: bool_ = cpu.cast(mask_tile, bool_)
                where_1: f64 = cpu.where(keep, sqrt, 1.0)
                cpu.put(y, where_1, i_at + p, q)
            cpu.put(n, reduce_sum, i_at + p, 0)
