"""The sum of two vectors that are spread over four boards of eight chips, and of one that each chip has whole."""

import htp
from htp import In, Out, f32
from htp_my_plugin import levels
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def spread(
    x: In[Tensor[f32, N, levels(board=4, chip=8)]],
    y: In[Tensor[f32, N, levels(board=4, chip=8, unit=1)]],
    bias: In[Tensor[f32, N]],
    z: Out[Tensor[f32, N, levels(board=4, chip=8)]],
) -> None:
    for i in tiles(N, 32):
        z[i] = x[i] + y[i] + bias[i]
