"""Products of rows of several heads with weights that these share, turned, and a bias."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, reshape, tiles, transpose, zeros

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def head_products(x: In[Tensor[bf16, B, M, K]], w: In[Tensor[bf16, N, K]], bias: In[Tensor[f32, N]], y: Out[Tensor[bf16, B, M, N]]) -> None:
    for h in range(B):
        for i in tiles(M, 32):
            for j in tiles(N, 32):
                sums = zeros(f32, i, j)
                for k in tiles(K, 32):
                    sums = matmul(reshape(x[h, i, k], i, k), transpose(w[j, k]), sums)
                y[h, i, j] = reshape(cast(sums + bias[j], bf16), 1, i, j)
