"""A kernel under test."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i_at in htp.parallel(range(0, M, 8)):
        i_n = min(8, M - i_at)
        for p in range(i_n):
            for q in htp.vectorized(range(N)):
                t: f32 = cpu.get(x, i_at + p, q)
                t_2: f32 = cpu.mul(t, 2.0)
                t_3: f32 = cpu.exp(t_2)
                cpu.put(y, t_3, i_at + p, q)
    for i_1_at in htp.parallel(range(0, M, 8)):
        i_1_n = min(8, M - i_1_at)
        t_1: Tile[f32, 8, N] = cpu.alloc(f32, 8, N)
        for p in range(i_1_n):
            for q in htp.vectorized(range(N)):
                x_tile: f32 = cpu.get(x, i_1_at + p, q)
                t_1_at: f32 = cpu.add(x_tile, 1.0)
                cpu.put(t_1, t_1_at, p, q)
        for n in range(3):
            for p in range(i_1_n):
                for q in htp.vectorized(range(N)):
                    t_1_at = cpu.get(t_1, p, q)
                    t_1_at = cpu.mul(t_1_at, t_1_at)
                    cpu.put(t_1, t_1_at, p, q)
        for p in range(i_1_n):
            for q in htp.vectorized(range(N)):
                t_1_at = cpu.get(t_1, p, q)
                cpu.put(z, t_1_at, i_1_at + p, q)
