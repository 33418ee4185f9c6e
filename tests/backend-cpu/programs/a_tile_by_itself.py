"""Both operands are elements of one tile."""

#: N=7; N=17; N=49

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, matmul

N = htp.dim("N")


@kernel
def by_itself(x: In[Tensor[f32, N, N]], y: Out[Tensor[f32, N, N]]) -> None:
    t = exp(x[:, :])
    y[:, :] = matmul(t, t)
