"""Layer normalisation of each row: the mean, then the spread around it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, sqrt, tiles

M = htp.dim("M")
WIDTH = 96
EPSILON = 1e-5


@kernel
def layernorm(
    x: In[Tensor[f32, M, WIDTH]],
    scale: In[Tensor[f32, 1, WIDTH]],
    shift: In[Tensor[f32, 1, WIDTH]],
    y: Out[Tensor[f32, M, WIDTH]],
) -> None:
    for i in tiles(M, 4):
        row = x[i, :]
        centred = row - reduce_sum(row, axis=1) / WIDTH
        variance = reduce_sum(centred * centred, axis=1) / WIDTH
        y[i, :] = centred / sqrt(variance + EPSILON) * scale[:, :] + shift[:, :]
