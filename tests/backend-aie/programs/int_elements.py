"""Elements of two bytes, one by one."""

import htp
from htp import In, Out, bf16
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def int_elements(x: In[Tensor[bf16, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:
    for i in range(M):
        for j in range(N):
            y[i, j] = x[i, j] * 2.0
