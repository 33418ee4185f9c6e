"""RMSNorm along rows that are too long for a core's memory: two passes over parts of them."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, full, kernel, reduce_sum, rsqrt, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
EPSILON = 1e-5


@kernel
def rmsnorm_parts(x: In[Tensor[f32, M, N]], weight: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        total = zeros(f32, i, 1)
        for j in tiles(N, 32):
            part = x[i, j]
            total = total + reduce_sum(part * part, axis=1)
        by = rsqrt(total / full(f32, N, 1, 1) + EPSILON)
        for k in tiles(N, 32):
            y[i, k] = x[i, k] * by * weight[:, k]
