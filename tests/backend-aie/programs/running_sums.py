"""A tile that goes from turn to turn of an inner loop which stores it: one core has all turns of a block of columns."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def running_sums(x: In[Tensor[f32, M, N]], sums: Out[Tensor[f32, M, N]], steps: Out[Tensor[f32, M, N]]) -> None:
    for j in tiles(N, 8):
        total = zeros(f32, 1, j)
        before = zeros(f32, 1, j)
        for m in range(M):
            now = x[m, j]
            total = total + now
            sums[m, j] = total
            steps[m, j] = now - before
            before = now
