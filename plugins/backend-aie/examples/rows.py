"""Rows scaled to a mean square of 1, by a gain for each column."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, tiles

M = 37
N = 100


@kernel
def rows(x: In[Tensor[f32, M, N]], gain: In[Tensor[f32, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = row * (reduce_sum(row**2, axis=1) / N + 1e-5) ** -0.5 * gain[:]
