"""Attention in which a query sees the keys up to its own position, over blocks of keys with a running maximum and a running sum. Two
query heads share one key head (grouped-query attention)."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, full, iota, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, where, zeros

S = htp.dim("S")

H = 2
D = 8
GROUP = 2
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@kernel
def causal_attention(
    q: In[Tensor[f32, H, GROUP, S, D]],
    k: In[Tensor[f32, H, 1, S, D]],
    v: In[Tensor[f32, H, 1, S, D]],
    o: Out[Tensor[f32, H, GROUP, S, D]],
) -> None:
    for h in range(H):
        for i in tiles(S, 16):
            rows = q[h, :, i, :] * SCALE
            row = iota(i32, 1, 1, i, 1, axis=2)
            top = full(f32, LOWEST, 1, GROUP, i, 1)
            total = zeros(f32, 1, GROUP, i, 1)
            acc = zeros(f32, 1, GROUP, i, D)
            for j in tiles(S, 16):
                column = iota(i32, 1, 1, 1, j, axis=3)
                scores = where(column <= row, matmul(rows, transpose(k[h, :, j, :])), LOWEST)
                higher = maximum(top, reduce_max(scores, axis=3))
                e = exp(scores - higher)
                fade = exp(top - higher)
                total = total * fade + reduce_sum(e, axis=3)
                acc = matmul(e, v[h, :, j, :], acc * fade)
                top = higher
            o[h, :, i, :] = acc / total
