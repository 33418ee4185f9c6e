"""A kernel under test."""

import htp
from htp import In, Out, f32, Token
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i_at in range(0, M, 4):
        i_n = min(4, M - i_at)
        h: Tensor[f32, 4, N] = cpu.alloc(f32, 4, N)
        whole_sum: Tile[f32, 4, 1] = cpu.alloc(f32, 4, 1)
        for p_1 in range(i_n):
            whole_sum_at: f32 = cpu.splat(f32, 0)
            for q in htp.vectorized(range(N)):
                x_tile_1: f32 = cpu.get(x, i_at + p_1, q)
                whole_sum_at = cpu.add(whole_sum_at, x_tile_1)
                cpu.put(h, x_tile_1, p_1, q)
            cpu.put(whole_sum, whole_sum_at, p_1, 0)
        for p_1 in range(i_n):
            whole_sum_at = cpu.get(whole_sum, p_1, 0)
            for q in htp.vectorized(range(N)):
                h_tile: f32 = cpu.get(h, p_1, q)
                div: f32 = cpu.div(h_tile, whole_sum_at)
                cpu.put(y, div, i_at + p_1, q)
        for p in range(2):
            for p_1 in range(i_n):
                whole_sum_at = cpu.get(whole_sum, p_1, 0)
                for q in htp.vectorized(range(N)):
                    h_tile_1: f32 = cpu.get(h, p_1, q)
                    div_1: f32 = cpu.div(h_tile_1, whole_sum_at)
                    cpu.put(y, div_1, i_at + p_1, q)
        for p_1 in range(i_n):
            cpu.put(z, 1.0, i_at + p_1, 0)
