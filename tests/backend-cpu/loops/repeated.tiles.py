"""A kernel under test."""

import htp
from htp import In, Out, f32, i32
import htp_tile as tile
from htp_tile import Tensor, Tile, full, holds, index, kernel, reduce_any, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], t: In[Tensor[i32, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[i32, N]]) -> None:
    for i in tiles(M, 4):
        e = x[i, :]
        n = 0
        while n < 8 and holds(reduce_any(reduce_max(e, axis=1) > 0.25, axis=0)):
            e = e * 0.5
            mean = reduce_sum(e, axis=1)
            for m in range(2):
                part = e - mean
                mean = reduce_sum(part, axis=1)
            n += 1
            rest = e * 2.0 + mean
            if holds(reduce_any(mean < 0.125, axis=0)):
                break
            e = rest
        y[i, :] = e
    for p in range(N):
        q = p
        steps = 0
        while q != 0 and steps < N:
            q = index(t[q])
            steps += 1
        z[p] = full(i32, steps, 1)
