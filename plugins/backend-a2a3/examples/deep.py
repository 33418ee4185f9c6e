"""Products whose sums are longer than L0A and L0B hold at once: of a whole dimension, and of blocks of one."""

import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros

M = htp.dim("M")


@kernel
def deep(a: In[Tensor[f16, M, 288]], b: In[Tensor[f16, 288, 16]], p: In[Tensor[f16, M, 576]], q: In[Tensor[f16, 576, 16]], c: Out[Tensor[f32, M, 16]], d: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 128):
        c[i, :] = matmul(cast(a[i, :], f32), cast(b[:, :], f32))
        acc = zeros(f32, i, 16)
        for k in tiles(576, 288):
            acc = matmul(cast(p[i, k], f32), cast(q[k, :], f32), acc)
        d[i, :] = acc
