"""The product of bf16 matrices, scaled and with its activation, SiLU, before it leaves."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, sigmoid, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
SCALE = 0.125


@kernel
def gemm_silu(a: In[Tensor[bf16, M, K]], b: In[Tensor[bf16, K, N]], c: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(f32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], b[k, j], acc)
            x = acc * SCALE
            c[i, j] = cast(x * sigmoid(x), bf16)
