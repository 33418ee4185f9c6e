"""A layer with weights N by K, as they are trained: what belongs to columns comes with the weights, what belongs to rows with the input, both packed."""

import htp
from htp import In, Out, bf16, f32, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, maximum, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def linear_rows(x: In[Tensor[i8, M, K]], w: In[Tensor[i8, N, K]], bias: In[Tensor[i32, N]], scale: In[Tensor[f32, M, 1]], gain: In[Tensor[bf16, 1]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        by = scale[i, :] * 0.125
        for j in tiles(N, 12):
            acc = zeros(i32, i, j)
            for k in tiles(K, 20):
                acc = matmul(x[i, k], transpose(w[j, k]), acc)
            y[i, j] = maximum(cast(acc + maximum(bias[j], 0), f32) * by * cast(gain[:], f32), 0.0)
