"""Clips to the range from -1 to 1. The last block may be shorter, and `len` tells."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, maximum, minimum, tiles

N = htp.dim("N")


@kernel
def clip(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        if len(i) == 8:
            y[i] = minimum(a=maximum(a=x[i], b=-1.0), b=1.0)
        else:
            for p in range(len(i)):
                q = N - len(i) + p
                y[q] = minimum(b=1.0, a=maximum(x[q], -1.0))
