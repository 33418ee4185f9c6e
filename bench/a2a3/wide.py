"""A product of f16 matrices in blocks of 128 x 256 of the sum, and 192 of what is summed up at a time."""

import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def wide(a: In[Tensor[f16, M, K]], b: In[Tensor[f16, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 128):
        for j in tiles(N, 256):
            acc = zeros(f32, i, j)
            for k in tiles(K, 192):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc
