"""A kernel under test."""

import htp
from htp import In, Out, f32
import htp_tile as tile
from htp_tile import Tensor, Tile, buffer, copy_async, kernel, reduce_sum, tiles, wait, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 4):
        h = buffer(f32, i, N)
        coming = copy_async(h, x[i, :], i, whole)
        whole_sum = reduce_sum(x[i, :], axis=1)
        wait(coming)
        going = copy_async(y, h[i, :] / whole_sum, i, whole)
        for p in range(2):
            wait(going)
            going = copy_async(y, h[i, :] / whole_sum, i, whole)
        wait(going)
        out = copy_async(z, 1.0, i, 0)
        if M > 3:
            wait(out)
        else:
            wait(out)
