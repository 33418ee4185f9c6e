"""A program with instructions of its own between portable intrinsics: a leaky slope, and what is added to what a tile holds."""

import htp
import htp_pto as pto
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def leaky(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 64):
            a = x[i, j] * 2.0
            u = pto.tile(f32, i, j)
            v = pto.tile(f32, i, j)
            pto.tlrelu(u, a, 0.1)
            pto.tadd(v, u, z[i, j])
            pto.taxpy(v, a, 0.5)
            y[i, j] = exp(-v * v) + u
