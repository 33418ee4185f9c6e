"""A product of 8-bit floats with a scale for each row of a and each column of b, accumulated in f32, and its result in bf16."""

import htp
from htp import In, Out, bf16, f8e4m3, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def fp8_gemm(
    a: In[Tensor[f8e4m3, M, K]],
    b: In[Tensor[f8e4m3, K, N]],
    row_scale: In[Tensor[f32, M, 1]],
    column_scale: In[Tensor[f32, 1, N]],
    c: Out[Tensor[bf16, M, N]],
) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 64):
                acc = matmul(cast(a[i, k], f32), cast(b[k, j], f32), acc)
            c[i, j] = cast(acc * row_scale[i, :] * column_scale[:, j], bf16)
