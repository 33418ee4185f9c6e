"""A product, and what is made of it under the same name: a sum of products in one memory, and a tile in another."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles

M = htp.dim("M")


@kernel
def rebound(x: In[Tensor[f32, M, 32]], w: In[Tensor[f32, 32, 16]], bias: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 16):
        h = matmul(x[i, :], w[:, :])
        h = h + bias[:, :]
        y[i, :] = h
