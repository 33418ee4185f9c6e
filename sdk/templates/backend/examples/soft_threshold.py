"""Brings what is large nearer to 0, and what is small to 0, by a threshold that is handed over by value."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles, where

N = htp.dim("N")


@kernel
def soft_threshold(by: f32, x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = where(x[i] > by, x[i] - by, where(x[i] < -by, x[i] + by, 0.0))
