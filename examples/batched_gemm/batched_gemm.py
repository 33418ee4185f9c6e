"""Many products at once: c[n] = a[n] @ b[n]."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

B = htp.dim("B")
M = htp.dim("M")
K = htp.dim("K")

N = 5


@kernel
def batched_gemm(a: In[Tensor[f32, B, M, K]], b: In[Tensor[f32, B, K, N]], c: Out[Tensor[f32, B, M, N]]) -> None:
    for n in tiles(B, 4):
        for i in tiles(M, 16):
            acc = zeros(f32, n, i, N)
            for k in tiles(K, 32):
                acc = matmul(a[n, i, k], b[n, k, :], acc)
            c[n, i, :] = acc
