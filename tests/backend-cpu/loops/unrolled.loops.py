"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[i32, 3, N]], y: Out[Tensor[i32, 3, N]]) -> None:
    for n in htp.unrolled(range(3)):
        for j_at in htp.pipelined(range(0, N, 100), depth=2):
            j_n = min(100, N - j_at)
            if n % 2 == 0 and n < N:
                for p in htp.vectorized(range(j_n)):
                    x_tile: i32 = cpu.get(x, n, j_at + p)
                    div: i32 = cpu.div(x_tile, 7)
                    cpu.put(y, div, n, j_at + p)
            else:
                for p in htp.vectorized(range(j_n)):
                    x_tile_1: i32 = cpu.get(x, n, j_at + p)
                    mul: i32 = cpu.mul(x_tile_1, -2147483648)
                    cpu.put(y, mul, n, j_at + p)
