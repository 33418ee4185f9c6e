"""The Cholesky factor of a matrix that is symmetric and positive definite: a = l · lᵀ, l lower triangular. Column by column, each from
those before it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, sqrt, transpose

N = htp.dim("N")


@kernel
def cholesky(a: In[Tensor[f32, N, N]], l: Out[Tensor[f32, N, N]]) -> None:
    l[:, :] = 0.0
    for j in range(N):
        column = a[j:, j] - matmul(l[j:, :j], transpose(l[j, :j]))
        l[j:, j] = column / sqrt(column[0, :])
