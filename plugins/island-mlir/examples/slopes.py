"""A logistic curve and its slope, as one writes them down: the same exponential stands there four times."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def slopes(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], slope: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 64):
            y[i, j] = 1.0 / (1.0 + exp(-x[i, j]))
            slope[i, j] = exp(-x[i, j]) / ((1.0 + exp(-x[i, j])) * (1.0 + exp(-x[i, j])))
