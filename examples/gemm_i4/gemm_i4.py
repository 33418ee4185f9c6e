"""An 8-bit matrix times one of 4-bit weights, two in a byte: of column n the low half, of column n + N the high one."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, kernel, matmul, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = 16


@kernel
def gemm_i4(a: In[Tensor[i8, M, K]], weights: In[Tensor[i8, K, N]], left: Out[Tensor[i32, M, N]], right: Out[Tensor[i32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            rows = a[i, :]
            pairs = weights[:, j]
            left[i, j] = matmul(rows, (pairs << 4) >> 4, zeros(i32, i, j))
            right[i, j] = matmul(rows, pairs >> 4, zeros(i32, i, j))
