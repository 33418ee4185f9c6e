"""A row filter without a border: the input has two columns more than the output, and the outputs' pairs are summed to half as many."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def padded(
    x: In[Tensor[f32, M, N + 2]],
    w: In[Tensor[f32, 3]],
    y: Out[Tensor[f32, M, N]],
    pairs: Out[Tensor[f32, M, N // 2]],
    twice: Out[Tensor[f32, M, 2 * N]],
) -> None:
    for i in tiles(M, 8):
        row = x[i, :N] * w[0] + x[i, 1 : N + 1] * w[1] + x[i, 2:] * w[2]
        y[i, :] = row
        pairs[i, :] = x[i, : N // 2 * 2 : 2] + x[i, 1 : N // 2 * 2 : 2]
        twice[i, ::2] = row
        twice[i, 1::2] = -row
