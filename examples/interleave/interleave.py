"""Two signals become one: the rows of the first at even places, those of the second between them."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def interleave(left: In[Tensor[f32, N, M]], right: In[Tensor[f32, N, M]], both: Out[Tensor[f32, 2 * N, M]]) -> None:
    for i in htp.parallel(tiles(N, 8)):
        both[2 * i, :] = left[i, :]
        both[2 * i + 1, :] = right[i, :]
