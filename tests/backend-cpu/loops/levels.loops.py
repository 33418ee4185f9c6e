"""A kernel under test."""

import htp
from htp import In, InOut, Out, bool_, f16, f32, f64, i32, u8
from htp_tile import Tensor, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def k(x: In[Tensor[f32, 64, N]], y: Out[Tensor[f32, 64, N]]) -> None:
    for i_0_at in htp.parallel(range(0, 64, 32), level="core"):
        for i_at in range(i_0_at, i_0_at + 32, 8):
            for j_at in range(0, N, 128):
                j_n = min(128, N - j_at)
                for p in range(8):
                    for q in htp.vectorized(range(j_n)):
                        x_tile: f32 = cpu.get(x, i_at + p, j_at + q)
                        mul: f32 = cpu.mul(x_tile, 2.0)
                        cpu.put(y, mul, i_at + p, j_at + q)
