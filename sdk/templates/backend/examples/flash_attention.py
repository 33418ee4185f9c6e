"""Attention that never holds the whole score matrix: it goes over blocks of keys with a running maximum and a running sum."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, full, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, zeros

S = htp.dim("S")
T = htp.dim("T")

H = 2
D = 8
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@kernel
def flash_attention(
    q: In[Tensor[f32, H, S, D]], k: In[Tensor[f32, H, T, D]], v: In[Tensor[f32, H, T, D]], o: Out[Tensor[f32, H, S, D]]
) -> None:
    for h in range(H):
        for i in tiles(S, 16):
            rows = q[h, i, :] * SCALE
            top = full(f32, LOWEST, 1, i, 1)
            total = zeros(f32, 1, i, 1)
            acc = zeros(f32, 1, i, D)
            for j in tiles(T, 32):
                scores = matmul(rows, transpose(k[h, j, :]))
                higher = maximum(top, reduce_max(scores, axis=2))
                e = exp(scores - higher)
                fade = exp(top - higher)
                total = total * fade + reduce_sum(e, axis=2)
                acc = matmul(e, v[h, j, :], acc * fade)
                top = higher
            o[h, i, :] = acc / total
