"""A bell curve over each element, and its square root."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, sqrt, tiles

N = htp.dim("N")
WIDTH = 0.5


@kernel
def bell(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]], root: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        e = exp(-(x[i] * x[i]) / WIDTH)
        y[i] = e
        root[i] = sqrt(e)
