"""Each row times each row: a core loads two slices of one matrix, which begin apart by its row and its column of the array."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, transpose, zeros

M = htp.dim("M")
K = htp.dim("K")


@kernel
def rows_times_rows(a: In[Tensor[f32, M, K]], c: Out[Tensor[f32, M, M]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(M, 16):
            acc = zeros(f32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], transpose(a[j, k]), acc)
            c[i, j] = acc
