"""What a parallel loop binds in both arms of an `if`, or as an int, is each iteration's own, though it had a value before."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, full, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, 1, 1]]) -> None:
    t = full(f32, 0.0, 1, 1)
    n = 0
    z[0, n] = t
    for i in htp.parallel(range(M)):
        n = N - 1
        for j in range(N):
            if j > 1:
                t = x[i, j] + 1.0
            else:
                t = x[i, n] * 2.0
            y[i, j] = t
