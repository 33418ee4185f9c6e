"""Loop forms beneath one another: a loop that is cut among threads is not unrolled."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, full, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    for i in htp.unrolled(htp.parallel(tiles(M, 8))):
        for j in htp.unrolled(htp.parallel(tiles(N, 16))):
            y[i, j] = x[i, j] * 2.0
    s = 0
    for n in htp.vectorized(range(N)):
        s += 1
        z[0, n] = full(f32, 1.0, 1, 1)
    for n in range(min(s, N)):
        z[0, n] = full(f32, 2.0, 1, 1)
