"""Attention in which a query sees the keys up to its own position, over blocks of keys with a running maximum and a running sum: of blocks
that no query sees nothing is loaded or computed. All heads of queries share one head of keys and values."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, full, iota, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, where, zeros

S = htp.dim("S")

H = 2
D = 8
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@kernel
def causal_flash(
    q: In[Tensor[f32, H, S, D]], k: In[Tensor[f32, 1, S, D]], v: In[Tensor[f32, 1, S, D]], o: Out[Tensor[f32, H, S, D]]
) -> None:
    for h in range(H):
        for i in tiles(S, 32):
            rows = q[h, i, :] * SCALE
            top = full(f32, LOWEST, 1, i, 1)
            total = zeros(f32, 1, i, 1)
            acc = zeros(f32, 1, i, D)
            for j in tiles(S, 64):
                if j.start < i.stop:
                    seen = iota(i32, 1, i, j, axis=2) <= iota(i32, 1, i, j, axis=1)
                    scores = where(seen, matmul(rows, transpose(k[:, j, :])), LOWEST)
                    higher = maximum(top, reduce_max(scores, axis=2))
                    e = exp(scores - higher)
                    fade = exp(top - higher)
                    total = total * fade + reduce_sum(e, axis=2)
                    acc = matmul(e, v[:, j, :], acc * fade)
                    top = higher
            o[h, i, :] = acc / total
