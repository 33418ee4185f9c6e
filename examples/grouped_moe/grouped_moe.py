"""The experts of a mixture, each on the tokens that were sent to it: order lists the tokens, expert after expert: those of expert e from
starts[e] to starts[e + 1]. An expert multiplies as many rows as it has, in blocks; what it makes is added to its tokens."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, index, kernel, matmul, reshape, scatter_add, sigmoid, tiles, whole

T = htp.dim("T")  # tokens
S = htp.dim("S")  # how often they were sent: T, or twice that
D = htp.dim("D")  # their features
E = htp.dim("E")  # experts
F = htp.dim("F")  # an expert's features


@kernel
def grouped_moe(
    x: In[Tensor[f32, T, D]],
    order: In[Tensor[i32, S]],
    share: In[Tensor[f32, S]],
    starts: In[Tensor[i32, E + 1]],
    up: In[Tensor[f32, E, D, F]],
    down: In[Tensor[f32, E, F, D]],
    y: Out[Tensor[f32, T, D]],
) -> None:
    y[:, :] = 0.0
    for e in range(E):
        start = index(starts[e])
        count = index(starts[e + 1]) - start
        for j in tiles(count, 16):
            rows = order[start + j]
            h = matmul(x[rows, :], reshape(up[e, :, :], D, F))
            made = matmul(h * sigmoid(h), reshape(down[e, :, :], F, D))
            scatter_add(y, made * reshape(share[start + j], j, 1), rows, whole)
