"""Rows of which a number of each says what they become."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, index, kernel

M = htp.dim("M")


@kernel
def chosen(x: In[Tensor[f32, M, 64]], kind: In[Tensor[i32, M]], y: Out[Tensor[f32, M, 64]]) -> None:
    for r in range(M):
        if index(kind[r]) > 0:
            y[r, :] = exp(x[r, :])
        else:
            y[r, :] = x[r, :]
