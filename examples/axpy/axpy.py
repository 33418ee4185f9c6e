"""y becomes 2.5 x + y, in place."""

import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")
ALPHA = 2.5


@kernel
def axpy(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for i in tiles(N, 32):
        y[i] = ALPHA * x[i] + y[i]
