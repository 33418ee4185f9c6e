"""A small product of 8-bit matrices, whose blocks are added up in steps and rounded at the end."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

M = 40
N = 24
K = 64


@kernel
def blocks(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i8, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8):
            acc = zeros(i32, i, j)
            for k in tiles(K, 32):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = cast(acc >> 7, i8)
