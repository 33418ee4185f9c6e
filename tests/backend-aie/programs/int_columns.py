"""Columns of short elements, which an int counts one by one, turned into rows."""

import htp
from htp import In, Out, i8
from htp_tile import Tensor, kernel, transpose

M = htp.dim("M")
N = htp.dim("N")


@kernel
def int_columns(x: In[Tensor[i8, M, N]], turned: Out[Tensor[i8, N, M]]) -> None:
    for j in range(N):
        turned[j, :] = transpose(x[:, j] + 1)
