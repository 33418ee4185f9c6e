"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, Tile, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], bias: In[Tensor[f32, 1, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_at in range(0, M, 16):
        i_n = min(16, M - i_at)
        for j_at in range(0, N, 32):
            j_n = min(32, N - j_at)
            acc: Tile[f32, 16, 32] = cpu.alloc(f32, 16, 32)
            for p in range(i_n):
                for q in htp.vectorized(range(j_n)):
                    cpu.put(acc, 0, p, q)
            for r_at in range(0, K, 64):
                r_n = min(64, K - r_at)
                for p in range(i_n):
                    for q in htp.vectorized(range(j_n)):
                        acc_at: f32 = cpu.get(acc, p, q)
                        for r_1 in range(r_n):
                            a_tile: f32 = cpu.get(a, i_at + p, r_at + r_1)
                            b_tile: f32 = cpu.get(b, r_at + r_1, j_at + q)
                            acc_at = cpu.fma(a_tile, b_tile, acc_at)
                        cpu.put(acc, acc_at, p, q)
            for p in range(i_n):
                for q in htp.vectorized(range(j_n)):
                    acc_at = cpu.get(acc, p, q)
                    bias_tile: f32 = cpu.get(bias, 0, j_at + q)
                    add: f32 = cpu.add(acc_at, bias_tile)
                    maximum: f32 = cpu.maximum(add, 0.0)
                    cpu.put(c, maximum, i_at + p, j_at + q)
