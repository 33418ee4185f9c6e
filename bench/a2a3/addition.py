"""A sum of two vectors, in blocks of 16 KiB."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def addition(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 4096):
        c[i] = a[i] + b[i]
