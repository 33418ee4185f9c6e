"""Two products of operands of their own, one of them turned, scaled by rows and added up, with a bias."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, kernel, matmul, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def two_products(
    a: In[Tensor[i8, M, K]],
    b: In[Tensor[i8, N, K]],
    d: In[Tensor[i8, M, K]],
    scale: In[Tensor[i32, M, 1]],
    y: Out[Tensor[i32, M, N]],
) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 32):
            first = zeros(i32, i, j)
            for k in tiles(K, 32):
                first = matmul(a[i, k], transpose(b[j, k]), first)
            scaled = first * scale[i, :]
            second = zeros(i32, i, j)
            for m in tiles(K, 32):
                second = matmul(d[i, m], transpose(b[j, m]), second)
            y[i, j] = scaled + second
