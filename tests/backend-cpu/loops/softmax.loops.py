"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i_at in range(0, M, 8):
        i_n = min(8, M - i_at)
        e: Tile[f32, N] = cpu.alloc(f32, N)
        for p in range(i_n):
            reduce_max: f32 = cpu.splat(f32, -1e309)
            for q in htp.vectorized(range(N)):
                row: f32 = cpu.get(x, i_at + p, q)
                reduce_max = cpu.maximum(reduce_max, row)
            reduce_sum: f32 = cpu.splat(f32, 0)
            for q in htp.vectorized(range(N)):
                row = cpu.get(x, i_at + p, q)
                sub: f32 = cpu.sub(row, reduce_max)
                e_at: f32 = cpu.exp(sub)
                cpu.put(e, e_at, q)
                reduce_sum = cpu.add(reduce_sum, e_at)
            for q in htp.vectorized(range(N)):
                e_at = cpu.get(e, q)
                div: f32 = cpu.div(e_at, reduce_sum)
                cpu.put(y, div, i_at + p, q)
