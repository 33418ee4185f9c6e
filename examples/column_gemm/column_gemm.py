"""A product of matrices that lie column by column, as Fortran's do, into rows with a gap behind each."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = 48
N = 36
K = 40
APART = 64


@kernel
def column_gemm(
    a: In[Tensor[f32, M, K, htp.layouts.ordered((M, K), (1, 0))]],
    b: In[Tensor[f32, K, N, htp.layouts.ordered((K, N), (1, 0))]],
    bias: In[Tensor[f32, 1, N]],
    c: Out[Tensor[f32, M, N, htp.layouts.strided((M, N), (APART, 1))]],
) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            total = zeros(f32, i, j)
            for k in tiles(K, 8):
                total = matmul(a[i, k], b[k, j], total)
            c[i, j] = total + bias[:, j]
