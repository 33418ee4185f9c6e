"""The product of 8-bit matrices whose second one lies in panels of 96 columns, as weights that stay are laid out once."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, reshape, tiles, zeros

M = htp.dim("M")
J = htp.dim("J")
K = htp.dim("K")
PANEL = 96


@kernel
def gemm_panels(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, J, K, PANEL]], c: Out[Tensor[i8, M, J, PANEL]]) -> None:
    for i in tiles(M, 16):
        for j in range(J):
            acc = zeros(i32, i, PANEL)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], reshape(b[j, k, :], k, PANEL), acc)
            c[i, j, :] = reshape(cast(acc >> 7, i8), i, 1, PANEL)
