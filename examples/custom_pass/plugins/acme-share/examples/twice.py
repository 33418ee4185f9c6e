"""Values that stand in a program twice, and some that only look so: `a` changes between them."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, exp, kernel, tiles

N = htp.dim("N")


@kernel
def twice(x: In[Tensor[f32, N]], a: InOut[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 16):
        before = exp(a[i])
        a[i] = exp(x[i]) + exp(x[i])
        y[i] = before * exp(a[i])
        for j in tiles(i, 4):
            total = x[j] * x[j]
            total = total + x[j] * x[j]
            a[j] = total + x[j]
