"""Sums of what lies in panels and in padded rows, which are swizzled where they are stored: of what no strides describe a call is given the storage."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout, tiles


@kernel
def storages(
    x: In[Tensor[f32, 64, 32, htp.layouts.strided((64, 32), (40, 1))]],
    w: In[Tensor[f32, 64, 32, htp.layouts.packed((64, 32), (64, 8), (1, 0), (0, 1))]],
    y: Out[Tensor[f32, 64, 32, htp.layouts.swizzle(htp.layouts.ordered((64, 32), (0, 1)), 2, 0, 4)]],
) -> None:
    for i in tiles(64, 8):
        rows = relayout(x[i, :], htp.layouts.ordered((64, 32), (0, 1)))
        sums = rows + relayout(w[i, :], htp.layouts.ordered((64, 32), (0, 1)))
        y[i, :] = relayout(sums, htp.layouts.swizzle(htp.layouts.ordered((64, 32), (0, 1)), 2, 0, 4))
