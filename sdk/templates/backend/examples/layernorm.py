"""Layer normalisation of each row of a matrix, in two passes over the row: the mean, then the spread around it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_mean, sqrt, tiles

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
        centred = row - reduce_mean(row, axis=1)
        variance = reduce_mean(centred * centred, axis=1)
        y[i, :] = centred / sqrt(variance + EPSILON) * scale[:, :] + shift[:, :]
