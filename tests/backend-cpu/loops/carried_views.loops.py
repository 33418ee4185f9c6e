"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(u: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, M]], r: Out[Tensor[f32, M, 1]]) -> None:
    best: Tile[f32, M, 1] = cpu.alloc(f32, M, 1)
    for p in range(M):
        best_at: f32 = cpu.get(u, p, 0)
        cpu.put(best, best_at, p, 0)
    for n in range(3):
        transpose: Tile[f32, M] = cpu.alloc(f32, M)
        for p in range(M):
            transpose_at: f32 = cpu.get(best, p, 0)
            cpu.put(transpose, transpose_at, p)
        for p in range(M):
            best_new: f32 = cpu.splat(f32, 0)
            best_at = cpu.get(best, p, 0)
            best_new = cpu.add(best_new, best_at)
            for q in htp.vectorized(range(M)):
                transpose_at = cpu.get(transpose, q)
                add: f32 = cpu.add(best_at, transpose_at)
                cpu.put(y, add, p, q)
            cpu.put(best, best_new, p, 0)
    for p in range(M):
        best_at = cpu.get(best, p, 0)
        cpu.put(r, best_at, p, 0)
