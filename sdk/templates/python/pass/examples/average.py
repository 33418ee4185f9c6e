"""The average of four vectors."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def average(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: In[Tensor[f32, N]], d: In[Tensor[f32, N]], mean: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 32):
        mean[i] = (a[i] + b[i] + c[i] + d[i]) / 4
