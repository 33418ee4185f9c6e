"""Attention in which a query sees the keys up to its own position, over blocks of keys with a running maximum and a running sum: of blocks
that no query sees nothing is loaded or computed. GROUP heads of queries share one head of keys and values."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, full, iota, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, where, zeros

S = htp.dim("S")

H = 1
GROUP = 2
D = 8
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@kernel
def causal_flash(
    q: In[Tensor[f32, H, GROUP, S, D]], k: In[Tensor[f32, H, 1, S, D]], v: In[Tensor[f32, H, 1, S, D]], o: Out[Tensor[f32, H, GROUP, S, D]]
) -> None:
    for h in range(H):
        for g in range(GROUP):
            for i in tiles(S, 32):
                rows = q[h, g, i, :] * SCALE
                top = full(f32, LOWEST, 1, 1, i, 1)
                total = zeros(f32, 1, 1, i, 1)
                acc = zeros(f32, 1, 1, i, D)
                for j in tiles(S, 64):
                    if j.start < i.stop:
                        seen = iota(i32, 1, 1, i, j, axis=3) <= iota(i32, 1, 1, i, j, axis=2)
                        scores = where(seen, matmul(rows, transpose(k[h, :, j, :])), LOWEST)
                        higher = maximum(top, reduce_max(scores, axis=3))
                        e = exp(scores - higher)
                        fade = exp(top - higher)
                        total = total * fade + reduce_sum(e, axis=3)
                        acc = matmul(e, v[h, :, j, :], acc * fade)
                        top = higher
                o[h, g, i, :] = acc / total
