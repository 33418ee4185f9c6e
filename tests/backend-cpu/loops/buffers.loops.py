"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    whole: Tensor[f32, M, N] = cpu.alloc(f32, M, N)
    for p in range(M):
        for q_1 in htp.vectorized(range(N)):
            x_tile: f32 = cpu.get(x, p, q_1)
            exp: f32 = cpu.exp(x_tile)
            cpu.put(whole, exp, p, q_1)
    for i_at in range(0, M, 16):
        i_n = min(16, M - i_at)
        h: Tensor[f32, 16, 1] = cpu.alloc(f32, 16, 1)
        for p in range(i_n):
            reduce_max: f32 = cpu.splat(f32, -1e309)
            for q_1 in htp.vectorized(range(N)):
                x_tile_1: f32 = cpu.get(x, i_at + p, q_1)
                reduce_max = cpu.maximum(reduce_max, x_tile_1)
            cpu.put(h, reduce_max, p, 0)
        for j_at in range(i_at, i_at + i_n, 4):
            j_n = min(4, i_at + i_n - j_at)
            for q_at in range(j_at, j_at + j_n, 2):
                q_n = min(2, j_at + j_n - q_at)
                for p in range(q_n):
                    h_tile: f32 = cpu.get(h, q_at - i_at + p, 0)
                    for q_1 in htp.vectorized(range(N)):
                        whole_tile: f32 = cpu.get(whole, q_at + p, q_1)
                        add: f32 = cpu.add(whole_tile, h_tile)
                        cpu.put(y, add, q_at + p, q_1)
    for i_1_at in range(0, M, 16):
        h_1: Tensor[f32, N, 16] = cpu.alloc(f32, N, 16)
