"""Rows scaled to a mean square of 1, by a gain for each column, and the largest of each row."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def rows(x: In[Tensor[f32, M, N]], gain: In[Tensor[f32, N]], y: Out[Tensor[f32, M, N]], top: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = row * (reduce_sum(row**2, axis=1) / N + 1e-5) ** -0.5 * gain[:]
        top[i] = reduce_max(row, axis=1)
