"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: Out[Tensor[f32, N]]) -> None:
    for i_at in range(0, N, 64):
        i_n = min(64, N - i_at)
        for p in htp.vectorized(range(i_n)):
            a_tile: f32 = cpu.get(a, i_at + p)
            b_tile: f32 = cpu.get(b, i_at + p)
            add: f32 = cpu.add(a_tile, b_tile)
            cpu.put(c, add, i_at + p)
