"""The product of a half-precision matrix with the transpose of another, accumulated in f32."""

import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def half_gemm(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, N, K]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(a[i, k], transpose(b[j, k]), acc)
            c[i, j] = cast(acc, f16)
