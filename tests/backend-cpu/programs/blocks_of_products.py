"""Blocks of a product's rows and columns that may become larger, and blocks that others depend on, which stay: of a length that is read, of what a block before
left, of rows that lie elsewhere, of sums over the block."""
#: M=1 N=3 K=5; M=40 N=70 K=17; M=300 N=33 K=20; M=0 N=5 K=3; M=17 N=600 K=2

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, full, kernel, matmul, maximum, reduce_sum, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def blocks_of_products(
    a: In[Tensor[f32, M, K]],
    b: In[Tensor[f32, K, N]],
    wide: Out[Tensor[f32, M, N]],
    rows: Out[Tensor[f32, M, 1]],
    counted: Out[Tensor[f32, M, N]],
    carried: Out[Tensor[f32, M, N]],
    shifted: InOut[Tensor[f32, M, K]],
    summed: Out[Tensor[f32, K, N]],
    turned: Out[Tensor[f32, N, M]],
) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 32):
            acc = full(f32, 0.5, i, j)
            for k in tiles(K, 8):
                acc = matmul(a[i, k], b[k, j], acc)
            wide[i, j] = maximum(acc, -3.0)
            turned[j, i] = transpose(acc)
        rows[i, :] = reduce_sum(a[i, :] @ b[:, :], axis=1)
    for i in tiles(M, 16):
        counted[i, :] = a[i, :] @ b[:, :] + len(i)
    last = zeros(f32, 1, N)
    for i in tiles(M, 16):
        product = a[i, :] @ b[:, :]
        carried[i, :] = product + last
        last = maximum(reduce_sum(product, axis=0), last)
    total = zeros(f32, K, N)
    for i in tiles(M, 16):
        total = matmul(transpose(a[i, :]), a[i, :] @ b[:, :], total)
    summed[:, :] = total
    for i in tiles(M, 16):
        shifted[i, :] = a[i, :] @ zeros(f32, K, K) + shifted[0, :] + 1.0
