"""Rows of features as the heads that attention wants, and back: each head's features of all rows together, then each row's of all heads."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reshape, tiles, transpose

M = htp.dim("M")
HEADS = 4
SIZE = 16
FEATURES = HEADS * SIZE


@kernel
def heads(
    x: In[Tensor[f32, M, FEATURES]],
    h: In[Tensor[f32, HEADS, M, SIZE]],
    split: Out[Tensor[f32, HEADS, M, SIZE]],
    merged: Out[Tensor[f32, M, FEATURES]],
) -> None:
    for i in tiles(M, 32):
        split[:, i, :] = transpose(reshape(x[i, :], i, HEADS, SIZE), (1, 0, 2))
        merged[i, :] = reshape(transpose(h[:, i, :], (1, 0, 2)), i, FEATURES)
