"""The sums of a vector's elements from the first to each one: y[n] = x[0] + … + x[n]; block by block, with the sum of those before."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, scan_sum, tiles, zeros

N = htp.dim("N")


@kernel
def prefix_sum(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    before = zeros(f32, 1)
    for i in tiles(N, 16):
        y[i] = scan_sum(x[i], axis=0) + before
        before = before + reduce_sum(x[i], axis=0)
