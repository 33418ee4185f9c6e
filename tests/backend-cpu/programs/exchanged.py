"""Names, ints and elements that change places in one assignment; values are what they were before it."""

#: M=7 N=12

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


def parts(v: f32) -> f32:
    return v * 0.5, v * 2.0


@kernel
def exchanged(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]], w: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        a, b = x[i, :], x[i, :] * 2.0
        for _ in range(5):
            a, b = b * 0.5, a + b  # both of before
        a, b = b, a
        low, high = parts(a)
        a, low = low, a - high
        y[i, :], z[i, :] = a + low, b
        p, q = 0, 1
        for _ in range(3):
            p, q = q, p + q
        w[i, :] = w[i, :] * p + q
    for n in range(M):
        w[n, 0:1], w[n, 1:2] = w[n, 1:2], w[n, 0:1]
