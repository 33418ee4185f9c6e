"""The product of two matrices, by tiles, with a loop over K."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc
