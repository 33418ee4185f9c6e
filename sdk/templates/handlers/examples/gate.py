"""A vector, gated by another."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, sigmoid, tiles

N = htp.dim("N")


@kernel
def gate(x: In[Tensor[f32, N]], by: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * sigmoid(by[i])
