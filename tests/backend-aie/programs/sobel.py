"""Differences across and along: eight places, six of them a series of series."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, sqrt, tiles

M = htp.dim("M")
N = 12


@kernel
def sobel(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 2, N - 2]]) -> None:
    for m in range(M - 2):
        for j in tiles(N - 2, 5):
            gx = x[m, j + 2] - x[m, j] + 2.0 * (x[m + 1, j + 2] - x[m + 1, j]) + x[m + 2, j + 2] - x[m + 2, j]
            gy = x[m + 2, j] - x[m, j] + 2.0 * (x[m + 2, j + 1] - x[m, j + 1]) + x[m + 2, j + 2] - x[m, j + 2]
            y[m, j] = sqrt(gx * gx + gy * gy)
