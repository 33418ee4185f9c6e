"""Layer normalisation of each row: the mean, then the spread around it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, sqrt, tiles

M = htp.dim("M")
WIDTH = 96
EPSILON = 1e-5


def mean(x: f32) -> f32:
    """Of each row."""
    return reduce_sum(x, axis=1) / WIDTH


@kernel
def layernorm(
    x: In[Tensor[f32, M, WIDTH]],
    scale: In[Tensor[f32, 1, WIDTH]],
    shift: In[Tensor[f32, 1, WIDTH]],
    y: Out[Tensor[f32, M, WIDTH]],
) -> None:
    for i in tiles(M, 4):
        row = x[i, :]
        centred = row - mean(row)
        variance = mean(centred * centred)
        y[i, :] = centred / sqrt(variance + EPSILON) * scale[:, :] + shift[:, :]
