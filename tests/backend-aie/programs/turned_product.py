"""Both operands are loaded with their dimensions the other way round: the host packs them in the blocks of the matrix units."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, sigmoid, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def turned_product(a: In[Tensor[bf16, K, M]], b: In[Tensor[bf16, N, K]], bias: In[Tensor[f32, 1, N]], c: Out[Tensor[bf16, M, N]]) -> None:
    for j in tiles(N, 8):
        row = bias[:, j]
        for i in tiles(M, 8):
            acc = zeros(f32, i, j)
            for k in tiles(K, 8):
                acc = matmul(transpose(a[k, i]), transpose(b[j, k]), acc)
            z = acc + row
            c[i, j] = cast(z * sigmoid(z), bf16)
