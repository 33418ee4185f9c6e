"""Attention of one head of 128 over blocks of keys, with a running maximum and a running sum."""

import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, exp, full, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, zeros

Q = htp.dim("Q")
K = htp.dim("K")

D = 128
SCALE = 0.08838834764831845  # 1 / sqrt(D)


@kernel
def attention(q: In[Tensor[f16, Q, D]], k: In[Tensor[f16, K, D]], v: In[Tensor[f16, K, D]], o: Out[Tensor[f32, Q, D]]) -> None:
    for i in tiles(Q, 64):
        top = full(f32, -1.0e30, i, 1)
        total = zeros(f32, i, 1)
        acc = zeros(f32, i, D)
        for j in tiles(K, 256):
            scores = matmul(cast(q[i, :], f32), cast(transpose(k[j, :]), f32)) * SCALE
            higher = maximum(top, reduce_max(scores, axis=1))
            e = exp(scores - higher)
            fade = exp(top - higher)
            total = total * fade + reduce_sum(e, axis=1)
            acc = acc * fade + matmul(cast(cast(e, f16), f32), cast(v[j, :], f32))
            top = higher
        o[i, :] = acc / total
