"""Scores of blocks of keys, whose rows are then gathered and multiplied once more: rows of a product, and what needs a whole row, are loops of their own."""
#: S=1 T=1; S=7 T=31; S=16 T=32; S=17 T=33; S=33 T=129; S=5 T=200; S=48 T=0; S=0 T=9

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, full, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, zeros

S = htp.dim("S")
T = htp.dim("T")
H = 2
D = 24


@kernel
def scores_and_rows(
    q: In[Tensor[f32, H, S, D]], k: In[Tensor[f32, H, T, D]], v: In[Tensor[f32, H, T, D]], o: Out[Tensor[f32, H, S, D]], near: Out[Tensor[f32, H, S, T]]
) -> None:
    for h in range(H):
        for i in tiles(S, 16):
            rows = q[h, i, :] * 0.25
            top = full(f32, -1.0e30, 1, i, 1)
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
            o[h, i, :] = acc / maximum(total, 1.0)
            squares = reduce_sum(q[h, i, :] * q[h, i, :], axis=2)
            for j in tiles(T, 128):
                lengths = reduce_sum(k[h, j, :] * k[h, j, :], axis=2)
                near[h, i, j] = squares + transpose(lengths) - 2.0 * matmul(q[h, i, :], transpose(k[h, j, :]))
