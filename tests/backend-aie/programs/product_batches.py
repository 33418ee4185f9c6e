"""A product for each of several pairs of matrices, one after the other on the whole array."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def product_batches(a: In[Tensor[i8, B, M, K]], b: In[Tensor[i8, B, K, N]], c: Out[Tensor[i32, B, M, N]]) -> None:
    for h in tiles(B, 1):
        for i in tiles(M, 32):
            for j in tiles(N, 32):
                sums = zeros(i32, h, i, j)
                for k in tiles(K, 32):
                    sums = matmul(a[h, i, k], b[h, k, j], sums)
                c[h, i, j] = sums
