"""A row that is stored for all rows, and a column for all columns."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def repeated(x: In[Tensor[f32, M, 1]], v: In[Tensor[f32, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        y[i, :] = x[i, :] * 2.0
        z[i, :] = v[:]
