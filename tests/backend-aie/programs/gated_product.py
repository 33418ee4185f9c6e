"""A gate, max(x·w, 0) * (x·v), whose products are made in one loop over their depth."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, maximum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def gated_product(x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], v: In[Tensor[bf16, K, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            g = zeros(f32, i, j)
            u = zeros(f32, i, j)
            for k in tiles(K, 32):
                rows = x[i, k]
                g = matmul(rows, w[k, j], g)
                u = matmul(rows, v[k, j], u)
            y[i, j] = cast(maximum(g, 0.0) * u, bf16)
