"""A linear layer with its activation: c = gelu(a @ b + bias), GELU in its exact form. The epilogue works on the block that is still
at hand."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, erf, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")

HALF_ROOT = 0.7071067811865476


@kernel
def gemm_gelu(
    a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], bias: In[Tensor[f32, 1, N]], c: Out[Tensor[f32, M, N]]
) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 64):
            acc = zeros(f32, i, j)
            for k in tiles(K, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            x = acc + bias[:, j]
            c[i, j] = x * 0.5 * (erf(x * HALF_ROOT) + 1.0)
