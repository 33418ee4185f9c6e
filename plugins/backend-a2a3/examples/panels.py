"""A product by weights that lie in panels of 8 columns, and every other element of a wider output: what no transfer follows is laid in rows first."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, relayout, tiles


@kernel
def panels(
    x: In[Tensor[f32, 32, 64]],
    w: In[Tensor[f32, 64, 32, htp.layouts.packed((64, 32), (64, 8), (1, 0), (0, 1))]],
    y: Out[Tensor[f32, 32, 32, htp.layouts.strided((32, 32), (64, 2))]],
) -> None:
    for i in tiles(32, 16):
        y[i, :] = relayout(matmul(x[i, :], w[:, :]) * 0.5, htp.layouts.strided((32, 32), (64, 2)))
