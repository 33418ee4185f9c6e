"""Loop forms beneath one another: a loop that is cut among threads is not unrolled."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    for i_at in htp.unrolled(htp.parallel(range(0, M, 8))):
        i_n = min(8, M - i_at)
        for j_at in htp.unrolled(htp.parallel(range(0, N, 16))):
            j_n = min(16, N - j_at)
            for p in range(i_n):
                for q in htp.vectorized(range(j_n)):
                    x_tile: f32 = cpu.get(x, i_at + p, j_at + q)
                    mul: f32 = cpu.mul(x_tile, 2.0)
                    cpu.put(y, mul, i_at + p, j_at + q)
    s = 0
    for n in htp.vectorized(range(N)):
        s = s + 1
        cpu.put(z, 1.0, 0, n)
    for n_1 in range(min(s, N)):
        cpu.put(z, 2.0, 0, n_1)
