"""One number of each row stands in the first half of the row, and the row in the second."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def repeated_parts(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 2 * N]]) -> None:
    for m in range(M):
        y[m, :N] = x[m, 1]
        y[m, N:] = x[m, :] + 1.0
