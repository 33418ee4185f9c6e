"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]], z: Out[Tensor[f32, M, N]]) -> None:
    for i_at in range(0, M, 4):
        i_n = min(4, M - i_at)
        best: Tile[f32, 4, 1] = cpu.alloc(f32, 4, 1)
        for p in range(i_n):
            cpu.put(best, -1.0, p, 0)
        for j_at in range(0, N, 16):
            j_n = min(16, N - j_at)
            for p in range(i_n):
                reduce_max: f32 = cpu.splat(f32, -1e309)
                for q in htp.vectorized(range(j_n)):
                    x_tile: f32 = cpu.get(x, i_at + p, j_at + q)
                    reduce_max = cpu.maximum(reduce_max, x_tile)
                best_at: f32 = cpu.get(best, p, 0)
                best_at = cpu.maximum(best_at, reduce_max)
                cpu.put(best, best_at, p, 0)
        if M > 8:
            for p in range(i_n):
                best_at = cpu.get(best, p, 0)
                best_at = cpu.mul(best_at, 2.0)
                cpu.put(best, best_at, p, 0)
        else:
            for p in range(i_n):
                best_at = cpu.get(best, p, 0)
                best_at = cpu.add(best_at, 1.0)
                cpu.put(best, best_at, p, 0)
        for p in range(i_n):
            best_at = cpu.get(best, p, 0)
            cpu.put(y, best_at, i_at + p, 0)
        for j_1_at in range(0, N, 16):
            j_1_n = min(16, N - j_1_at)
            for p in range(i_n):
                best_at = cpu.get(best, p, 0)
                for q in htp.vectorized(range(j_1_n)):
                    x_tile_1: f32 = cpu.get(x, i_at + p, j_1_at + q)
                    div: f32 = cpu.div(x_tile_1, best_at)
                    cpu.put(z, div, i_at + p, j_1_at + q)
