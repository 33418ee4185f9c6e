"""Dropout: about a fifth of the elements becomes 0, chosen by one step of a xorshift generator from a seed for each element. What
is NaN is left out too."""

import htp
from htp import In, Out, f32, u32
from htp_tile import Tensor, kernel, rem, tiles, where

N = htp.dim("N")

KEPT = 0.8


@kernel
def dropout(x: In[Tensor[f32, N]], seed: In[Tensor[u32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        s = seed[i]
        s = s ^ (s << 13)
        s = s ^ (s >> 17)
        s = s ^ (s << 5)
        v = x[i]
        kept = (rem(s, 5) != 0) & (v == v)
        y[i] = where(kept, v / KEPT, 0.0)
