"""The product of 16-bit matrices, in 32 bits."""

import htp
from htp import In, Out, i16, i32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def gemm_i16(a: In[Tensor[i16, M, K]], b: In[Tensor[i16, K, N]], c: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(i32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc
