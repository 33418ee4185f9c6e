"""A sum that a loop carries and adds to twice: it is kept once each time around."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def halves(a: In[Tensor[f32, M, N]], b: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        total = zeros(f32, i, 1)
        for n in range(N):
            total = total + a[i, n] * 0.5
            total = total + b[i, n] * 0.5
        y[i, :] = total
