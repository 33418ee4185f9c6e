"""The product of bf16 matrices, added up in f32 and rounded to bf16 once."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def gemm_bf16(a: In[Tensor[bf16, M, K]], b: In[Tensor[bf16, K, N]], c: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(f32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = cast(acc, bf16)
