"""RMS normalisation of each row of a matrix, with a weight for each column."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, rsqrt, tiles

M = htp.dim("M")
EPSILON = 1e-5


@kernel
def rmsnorm(x: In[Tensor[f32, M, 64]], weight: In[Tensor[f32, 1, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        mean_square = reduce_sum(row * row, axis=1) * (1.0 / 64)
        y[i, :] = row * rsqrt(mean_square + EPSILON) * weight[:, :]
