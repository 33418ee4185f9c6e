"""The product of 8-bit matrices, rectified and brought back to 8 bits by a shift."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, maximum, minimum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def gemm_requant(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i8, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(i32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = cast(minimum(maximum(acc >> 4, 0), 127), i8)
