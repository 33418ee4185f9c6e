"""The distance of points from a centre, and its square."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, sqrt, tiles

N = htp.dim("N")


@kernel
def distance(x: In[Tensor[f32, N]], y: In[Tensor[f32, N]], far: Out[Tensor[f32, N]], square: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 32):
        far[i] = sqrt((x[i] - 0.5) * (x[i] - 0.5) + (y[i] - 0.5) * (y[i] - 0.5))
        square[i] = (x[i] - 0.5) * (x[i] - 0.5) + (y[i] - 0.5) * (y[i] - 0.5)
