"""Values between two bounds."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, maximum, minimum, tiles

N = htp.dim("N")


@kernel
def clip(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 256):
        y[i] = minimum(maximum(x[i], -1.0), 1.0)
