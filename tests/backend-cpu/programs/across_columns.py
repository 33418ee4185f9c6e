"""Second operands that lie across the columns of a product: of the whole, of many dtypes, with few rows and with many, also where two products share their rows."""
#: M=1 N=3 K=5; M=4 N=47 K=1; M=8 N=48 K=7; M=9 N=49 K=64; M=16 N=100 K=33; M=17 N=48 K=0; M=40 N=15 K=20; M=0 N=50 K=8; M=70 N=131 K=65

import htp
from htp import In, Out, bf16, f32, f64, i8, i32
from htp_tile import Tensor, kernel, matmul, maximum, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def across_columns(
    a: In[Tensor[f32, M, K]],
    b: In[Tensor[f32, N, K]],
    g: In[Tensor[f32, N, K]],
    bias: In[Tensor[f32, 1, N]],
    wide: In[Tensor[f64, N, K]],
    long: In[Tensor[f64, M, K]],
    half: In[Tensor[bf16, M, K]],
    whole: In[Tensor[i8, M, K]],
    numbers: In[Tensor[i8, N, K]],
    sums: Out[Tensor[f32, M, N]],
    gated: Out[Tensor[f32, M, N]],
    doubles: Out[Tensor[f64, M, N]],
    halves: Out[Tensor[f32, M, N]],
    ints: Out[Tensor[i32, M, N]],
    narrow: Out[Tensor[bf16, M, M]],
) -> None:
    sums[:, :] = maximum(a[:, :] @ transpose(b[:, :]) * 0.5 + bias[:, :], 0.0)
    gated[:, :] = (a[:, :] @ transpose(b[:, :])) * (a[:, :] @ transpose(g[:, :]))
    doubles[:, :] = long[:, :] @ transpose(wide[:, :])
    halves[:, :] = matmul(a[:, :], transpose(g[:, :] - 1.0))
    ints[:, :] = matmul(whole[:, :], transpose(numbers[:, :]), zeros(i32, M, N))
    narrow[:, :] = half[:, :] @ transpose(half[:, :])
