"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, K, N]], c: Out[Tensor[f16, M, N]], s: Out[Tensor[f16, M, 1]]) -> None:
    for i_at in range(0, M, 8):
        i_n = min(8, M - i_at)
        p: Tile[f16, 8, N] = cpu.alloc(f16, 8, N)
        for p_1 in range(i_n):
            for q in htp.vectorized(range(N)):
                p_sum: htp.f32 = cpu.splat(htp.f32, 0)
                for r in range(K):
                    a_tile: f16 = cpu.get(a, i_at + p_1, r)
                    a_tile_wide: htp.f32 = cpu.cast(a_tile, htp.f32)
                    b_tile: f16 = cpu.get(b, r, q)
                    b_tile_wide: htp.f32 = cpu.cast(b_tile, htp.f32)
                    p_sum = cpu.fma(a_tile_wide, b_tile_wide, p_sum)
                p_at: f16 = cpu.cast(p_sum, f16)
                cpu.put(p, p_at, p_1, q)
                mul: f16 = cpu.mul(p_at, 0.1)
                cpu.put(c, mul, i_at + p_1, q)
        for p_1 in range(i_n):
            reduce_sum_sum: htp.f32 = cpu.splat(htp.f32, 0)
            for q in htp.vectorized(range(N)):
                p_at = cpu.get(p, p_1, q)
                p_at_wide: htp.f32 = cpu.cast(p_at, htp.f32)
                reduce_sum_sum = cpu.add(reduce_sum_sum, p_at_wide)
            reduce_sum: f16 = cpu.cast(reduce_sum_sum, f16)
            cpu.put(s, reduce_sum, i_at + p_1, 0)
