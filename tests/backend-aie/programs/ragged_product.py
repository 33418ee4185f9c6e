"""A product of what is computed of a, along blocks of which the last one is filled up: there it is 1, times the zeros of b."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, matmul, maximum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def ragged_product(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        acc = zeros(f32, i, N)
        for k in tiles(K, 32):
            acc = matmul(exp(a[i, k]), maximum(b[k, :], 0.0), acc)
        c[i, :] = acc
