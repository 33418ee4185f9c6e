"""A product of 8-bit matrices with a scale for each row of a and each column of b: the sums are exact in 32 bits."""

import htp
from htp import In, Out, f32, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def int8_gemm(
    a: In[Tensor[i8, M, K]],
    b: In[Tensor[i8, K, N]],
    row_scale: In[Tensor[f32, M, 1]],
    column_scale: In[Tensor[f32, 1, N]],
    c: Out[Tensor[f32, M, N]],
) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(i32, i, j)
            for k in tiles(K, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = cast(acc, f32) * row_scale[i, :] * column_scale[:, j]
