"""The sum of two vectors."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def vector_add(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        c[i] = a[i] + b[i]
