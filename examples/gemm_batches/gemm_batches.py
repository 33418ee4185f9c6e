"""A product for each of many pairs of bf16 matrices."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

B = htp.dim("B")
K = htp.dim("K")
M = 8
N = 8


@kernel
def gemm_batches(a: In[Tensor[bf16, B, M, K]], b: In[Tensor[bf16, B, K, N]], c: Out[Tensor[bf16, B, M, N]]) -> None:
    for p in tiles(B, 1):
        acc = zeros(f32, p, M, N)
        for k in tiles(K, 16):
            acc = matmul(a[p, :, k], b[p, k, :], acc)
        c[p, :, :] = cast(acc, bf16)
