"""Rows so long that what they share is packed, and the last columns are computed twice."""

#: M=17 N=1030 K=3; M=16 N=1024 K=5; M=15 N=1030 K=3; M=33 N=1071 K=2; M=17 N=1030 K=0

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def long_rows(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    c[:, :] = a[:, :] @ b[:, :]
