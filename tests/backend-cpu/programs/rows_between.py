"""All rows but the first and the last: none of one."""

#: M=0 N=17 K=3; M=1 N=17 K=3; M=12 N=17 K=3

import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel, matmul

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def between(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    c[1 : M - 1, :] = matmul(a[1 : M - 1, :], b[:, :])
