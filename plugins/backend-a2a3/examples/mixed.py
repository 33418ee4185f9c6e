"""Five signals mixed: more loads in an iteration than flags for two buffers each."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def mixed(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: In[Tensor[f32, N]], d: In[Tensor[f32, N]], e: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 512):
        y[i] = a[i] + 0.5 * b[i] + 0.25 * c[i] + 0.125 * d[i] + 0.0625 * e[i]
