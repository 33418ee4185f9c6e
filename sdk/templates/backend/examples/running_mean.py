"""The mean of all rows up to each one: a tile that goes from iteration to iteration, and blocks cut from blocks."""

import htp
from htp import In, Out, f64
from htp_tile import Tensor, full, kernel, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def running_mean(x: In[Tensor[f64, M, N]], y: Out[Tensor[f64, M, N]]) -> None:
    for j in tiles(N, 32):
        for part in tiles(j, 8):
            total = zeros(f64, 1, part)
            count = full(f64, 0.0, 1, 1)
            for p in range(M):
                total = total + x[p, part]
                count = count + 1.0
                y[p, part] = total / count
