"""A linear layer with its bias and ReLU, in blocks along all three dimensions."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, maximum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def linear_relu(x: In[Tensor[f32, M, K]], w: In[Tensor[f32, K, N]], bias: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 32):
            acc = zeros(f32, i, j)
            for k in tiles(K, 32):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = maximum(acc + bias[:, j], 0.0)
