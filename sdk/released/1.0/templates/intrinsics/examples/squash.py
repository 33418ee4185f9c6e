"""Each row of a matrix, scaled and squashed to the range from -1 to 1."""

import htp
from htp import In, Out, f32
from htp_my_plugin import softsign
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def squash(x: In[Tensor[f32, M, N]], scale: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = softsign(x[i, :] * scale[i, :])
