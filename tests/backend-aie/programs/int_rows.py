"""Rows of an odd number of bytes, which an int counts one by one."""

import htp
from htp import In, Out, i8
from htp_tile import Tensor, kernel, reduce_max

M = htp.dim("M")
N = htp.dim("N")


@kernel
def int_rows(x: In[Tensor[i8, M, N]], less: In[Tensor[i8, N]], y: Out[Tensor[i8, M, N]], most: Out[Tensor[i8, M]]) -> None:
    for m in range(M):
        row = x[m, :] - less[:]
        y[m, :] = row
        most[m] = reduce_max(row, axis=1)
