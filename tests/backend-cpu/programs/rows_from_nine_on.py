"""A slice without rows, where M is less than 9."""

#: M=8 N=17 K=3; M=2 N=49 K=3; M=0 N=17 K=3; M=30 N=17 K=3

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def from_nine(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    c[:, :] = 0.0
    c[9:M, :] = matmul(a[9:M, :], b[:, :])
