"""A sum of products that fills L0C: it is made in two halves of its columns, one of which is stored while the other is added to."""

import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

M = htp.dim("M")


@kernel
def wide(a: In[Tensor[f16, M, 64]], b: In[Tensor[f16, 64, 256]], c: Out[Tensor[f32, M, 256]]) -> None:
    for i in tiles(M, 128):
        for j in tiles(256, 256):
            acc = zeros(f32, i, j)
            for k in tiles(64, 32):
                acc = matmul(cast(a[i, k], f32), cast(b[k, j], f32), acc)
            c[i, j] = acc
