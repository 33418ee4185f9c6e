"""A layer whose scale and bias are numbers that are handed over by value: they come with its weights."""

import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, matmul, maximum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def scaled_by(scale: f32, bias: f32, x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            acc = zeros(f32, i, j)
            for k in tiles(K, 16):
                acc = matmul(x[i, k], w[k, j], acc)
            y[i, j] = cast(maximum(acc * scale - bias, 0.0), bf16)
