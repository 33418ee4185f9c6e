"""Each row's sums of what is left of it: y[m, n] = x[m, n] + x[m, n+1] + …; from the end of the row to its beginning."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def suffix_sum(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        total = zeros(f32, i, 1)
        for n in range(N - 1, -1, -1):
            total = total + x[i, n]
            y[i, n] = total
