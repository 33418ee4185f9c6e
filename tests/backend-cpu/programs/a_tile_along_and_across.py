"""Of one tile an element that all lanes share, and one for each."""

#: N=17; N=49

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul

N = htp.dim("N")


@kernel
def along_and_across(x: In[Tensor[f32, N, N]], w: In[Tensor[f32, N, N]], y: Out[Tensor[f32, N, N]]) -> None:
    t = matmul(x[:, :], w[:, :])
    y[:, :] = matmul(t, w[:, :]) + t
