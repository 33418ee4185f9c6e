"""What a parallel loop binds in both arms of an `if`, or as an int, is each iteration's own, though it had a value before."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, Tile
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, 1]]) -> None:
    n = 0
    cpu.put(z, 0.0, 0, n)
    for i in htp.parallel(range(M)):
        n_1 = N - 1
        for j in range(N):
            t_1: Tile[f32, 1, 1] = cpu.alloc(f32, 1, 1)
            if j > 1:
                x_tile: f32 = cpu.get(x, i, j)
                t_1_at: f32 = cpu.add(x_tile, 1.0)
                cpu.put(t_1, t_1_at, 0, 0)
            else:
                x_tile_1: f32 = cpu.get(x, i, n_1)
                t_1_at = cpu.mul(x_tile_1, 2.0)
                cpu.put(t_1, t_1_at, 0, 0)
            t_1_at = cpu.get(t_1, 0, 0)
            cpu.put(y, t_1_at, i, j)
