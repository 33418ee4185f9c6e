"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for j_at in range(0, N, 32):
        j_n = min(32, N - j_at)
        total: Tile[f32, 32] = cpu.alloc(f32, 32)
        for p in htp.vectorized(range(j_n)):
            total_at: f32 = cpu.splat(f32, 0)
            for q in range(M):
                column: f32 = cpu.get(x, q, j_at + p)
                total_at = cpu.add(total_at, column)
            cpu.put(total, total_at, p)
            cpu.put(y, total_at, 0, j_at + p)
        for p in range(M):
            for q in htp.vectorized(range(j_n)):
                column = cpu.get(x, p, j_at + q)
                total_at = cpu.get(total, q)
                sub: f32 = cpu.sub(column, total_at)
                cpu.put(z, sub, p, j_at + q)
