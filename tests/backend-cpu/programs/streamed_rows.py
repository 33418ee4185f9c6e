"""Sums over the rows of long matrices, one for each column: of one row and of some, begun from what was there, with what goes on behind."""
#: M=1 N=600 K=33; M=3 N=512 K=16; M=9 N=513 K=18; M=2 N=511 K=40; M=2 N=600 K=15; M=1 N=1040 K=0; M=0 N=600 K=20

import htp
from htp import In, InOut, Out, f32, i8, i32
from htp_tile import Tensor, exp, kernel, matmul, maximum, reduce_max, reduce_sum, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def streamed_rows(
    a: In[Tensor[f32, M, K]],
    row: In[Tensor[f32, 1, K]],
    b: In[Tensor[f32, K, N]],
    bias: In[Tensor[f32, 1, N]],
    whole: In[Tensor[i8, K, N]],
    ones: In[Tensor[i8, 1, K]],
    rows: Out[Tensor[f32, M, N]],
    one: Out[Tensor[f32, 1, N]],
    gated: Out[Tensor[f32, 1, N]],
    kept: InOut[Tensor[f32, 1, N]],
    sums: Out[Tensor[f32, 1, N]],
    most: Out[Tensor[f32, 1, N]],
    ints: Out[Tensor[i32, 1, N]],
) -> None:
    rows[:, :] = a[:, :] @ b[:, :]
    one[:, :] = maximum(row[:, :] @ b[:, :] + bias[:, :], 0.0)
    gated[:, :] = (row[:, :] @ b[:, :]) * exp(row[:, :] @ (b[:, :] * 0.125))
    kept[:, :] = matmul(row[:, :], b[:, :], kept[:, :])
    sums[:, :] = reduce_sum(b[:, :], axis=0) * 2.0
    most[:, :] = reduce_max(b[:, :], axis=0)
    ints[:, :] = matmul(ones[:, :], whole[:, :], zeros(i32, 1, N))
