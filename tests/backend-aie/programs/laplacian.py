"""Each place and its four neighbours, in the order in which one writes the sum: as series of equal steps they are two streams."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = 20


@kernel
def laplacian(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 2, N - 2]]) -> None:
    for m in range(M - 2):
        y[m, :] = x[m, 1 : N - 1] + x[m + 2, 1 : N - 1] + x[m + 1, 0 : N - 2] + x[m + 1, 2:N] - 4.0 * x[m + 1, 1 : N - 1]
