"""A sweep of Jacobi's method for Laplace's equation: each inner point is the mean of its four neighbours, the border stays."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")  # the inner points
N = htp.dim("N")


@kernel
def jacobi(x: In[Tensor[f32, M + 2, N + 2]], y: Out[Tensor[f32, M + 2, N + 2]]) -> None:
    for side in range(2):
        y[side * (M + 1), :] = x[side * (M + 1), :]
    for i in tiles(M, 16):
        y[i + 1, 0] = x[i + 1, 0]
        y[i + 1, N + 1] = x[i + 1, N + 1]
        for j in tiles(N, 64):
            y[i + 1, j + 1] = (x[i, j + 1] + x[i + 2, j + 1] + x[i + 1, j] + x[i + 1, j + 2]) * 0.25
