"""Attention of one new token of each sequence over the keys and values before it, which lie in pages: table[b, p] is where the p-th page
of sequence b lies. GROUP heads of queries share one head of keys and values. What a page holds beyond the sequence's length is not used."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, full, index, iota, kernel, matmul, maximum, reduce_max, reduce_sum, reshape, transpose, where, zeros

B = htp.dim("B")  # sequences
P = htp.dim("P")  # pages of the longest one
PAGES = htp.dim("PAGES")  # pages there are

HEADS = 2
GROUP = 2
D = 8
PAGE = 4
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@kernel
def paged_attention(
    q: In[Tensor[f32, B, HEADS, GROUP, D]],
    k: In[Tensor[f32, PAGES, PAGE, HEADS, D]],
    v: In[Tensor[f32, PAGES, PAGE, HEADS, D]],
    table: In[Tensor[i32, B, P]],
    lengths: In[Tensor[i32, B]],
    o: Out[Tensor[f32, B, HEADS, GROUP, D]],
) -> None:
    for b in htp.parallel(range(B)):
        length = index(lengths[b])
        for h in range(HEADS):
            rows = reshape(q[b, h, :, :], GROUP, D) * SCALE
            top = full(f32, LOWEST, GROUP, 1)
            total = zeros(f32, GROUP, 1)
            acc = zeros(f32, GROUP, D)
            for p in range((length + PAGE - 1) // PAGE):
                page = index(table[b, p])
                left = length - p * PAGE
                used = iota(i32, GROUP, PAGE, axis=1) < full(i32, left, 1, 1)
                scores = where(used, matmul(rows, transpose(reshape(k[page, :, h, :], PAGE, D))), LOWEST)
                higher = maximum(top, reduce_max(scores, axis=1))
                e = exp(scores - higher)
                fade = exp(top - higher)
                values = where(iota(i32, PAGE, D, axis=0) < full(i32, left, 1, 1), reshape(v[page, :, h, :], PAGE, D), 0.0)
                total = total * fade + reduce_sum(e, axis=1)
                acc = matmul(e, values, acc * fade)
                top = higher
            o[b, h, :, :] = reshape(acc / total, 1, 1, GROUP, D)
