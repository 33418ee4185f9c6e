"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(q: In[Tensor[f32, M, 32]], keys: In[Tensor[f32, N, 32]], values: In[Tensor[f32, N, 32]], o: Out[Tensor[f32, M, 32]]) -> None:
    for i_at in range(0, M, 8):
        i_n = min(8, M - i_at)
        s: Tile[f32, 8, N] = cpu.alloc(f32, 8, N)
        e: Tile[f32, 8, N] = cpu.alloc(f32, 8, N)
        reduce_sum: Tile[f32, 8] = cpu.alloc(f32, 8)
        for p in range(i_n):
            for q_1 in htp.vectorized(range(N)):
                matmul: f32 = cpu.splat(f32, 0)
                for r in range(32):
                    q_tile: f32 = cpu.get(q, i_at + p, r)
                    transpose: f32 = cpu.get(keys, q_1, r)
                    matmul = cpu.fma(q_tile, transpose, matmul)
                s_at: f32 = cpu.mul(matmul, 0.176776695)
                cpu.put(s, s_at, p, q_1)
        for p in range(i_n):
            reduce_max: f32 = cpu.splat(f32, -1e309)
            for q_1 in htp.vectorized(range(N)):
                s_at = cpu.get(s, p, q_1)
                reduce_max = cpu.maximum(reduce_max, s_at)
            reduce_sum_at: f32 = cpu.splat(f32, 0)
            for q_1 in htp.vectorized(range(N)):
                s_at = cpu.get(s, p, q_1)
                sub: f32 = cpu.sub(s_at, reduce_max)
                e_at: f32 = cpu.exp(sub)
                cpu.put(e, e_at, p, q_1)
                reduce_sum_at = cpu.add(reduce_sum_at, e_at)
            cpu.put(reduce_sum, reduce_sum_at, p)
        for p in range(i_n):
            reduce_sum_at = cpu.get(reduce_sum, p)
            for q_1 in htp.vectorized(range(32)):
                matmul_1: f32 = cpu.splat(f32, 0)
                for r in range(N):
                    e_at = cpu.get(e, p, r)
                    values_tile: f32 = cpu.get(values, r, q_1)
                    matmul_1 = cpu.fma(e_at, values_tile, matmul_1)
                div: f32 = cpu.div(matmul_1, reduce_sum_at)
                cpu.put(o, div, i_at + p, q_1)
