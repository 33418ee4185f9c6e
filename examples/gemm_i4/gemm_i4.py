"""An 8-bit matrix times one of 4-bit weights, two in a byte: of each group of K, the low halves are the first half and the high ones the second."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, kernel, matmul, reshape, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
GROUPS = htp.dim("GROUPS")
HALF = 8  # of a group of K


@kernel
def gemm_i4(a: In[Tensor[i8, M, GROUPS, 2, HALF]], weights: In[Tensor[i8, GROUPS, HALF, N]], c: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 32):
        for j in tiles(N, 32):
            acc = zeros(i32, i, j)
            for g in range(GROUPS):
                pairs = reshape(weights[g, :, j], HALF, j)
                acc = matmul(reshape(a[i, g, 0, :], i, HALF), (pairs << 4) >> 4, acc)
                acc = matmul(reshape(a[i, g, 1, :], i, HALF), pairs >> 4, acc)
            c[i, j] = acc
