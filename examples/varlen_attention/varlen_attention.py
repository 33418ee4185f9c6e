"""Causal attention of sequences of their own lengths, one behind the other: sequence b has the rows starts[b] to starts[b + 1]. Nothing is
padded, and none of the work is for rows that are not there: blocks end where the sequence does."""

import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, exp, full, index, iota, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, where, zeros

B = htp.dim("B")  # sequences
T = htp.dim("T")  # rows of all
D = htp.dim("D")

SCALE = 0.125  # 1 / sqrt(64)
LOWEST = -1.0e30


@kernel
def varlen_attention(
    q: In[Tensor[f32, T, D]],
    k: In[Tensor[f32, T, D]],
    v: In[Tensor[f32, T, D]],
    starts: In[Tensor[i32, B + 1]],
    o: InOut[Tensor[f32, T, D]],
) -> None:
    for b in range(B):
        start = index(starts[b])
        length = index(starts[b + 1]) - start
        for i in tiles(length, 8):
            rows = q[start + i, :] * SCALE
            top = full(f32, LOWEST, i, 1)
            total = zeros(f32, i, 1)
            acc = zeros(f32, i, D)
            for j in tiles(length, 16):
                seen = iota(i32, i, j, axis=1) <= iota(i32, i, j, axis=0)
                scores = where(seen, matmul(rows, transpose(k[start + j, :])), LOWEST)
                higher = maximum(top, reduce_max(scores, axis=1))
                e = exp(scores - higher)
                fade = exp(top - higher)
                total = total * fade + reduce_sum(e, axis=1)
                acc = matmul(e, v[start + j, :], acc * fade)
                top = higher
            o[start + i, :] = acc / total
