"""Every portable intrinsic once, so that each handler is met."""

import htp
from htp import In, Out, f32, i32
from htp_tile import (
    Tensor,
    absolute,
    cast,
    exp,
    full,
    kernel,
    log,
    matmul,
    maximum,
    minimum,
    reduce_max,
    reduce_min,
    reduce_sum,
    rsqrt,
    sigmoid,
    sqrt,
    tanh,
    tiles,
    transpose,
    where,
    zeros,
)

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def intrinsics(
    a: In[Tensor[f32, M, N]],
    b: In[Tensor[f32, M, N]],
    w: In[Tensor[f32, N, K]],
    y: Out[Tensor[f32, M, N]],
    t: Out[Tensor[f32, N, M]],
    p: Out[Tensor[f32, M, K]],
    n: Out[Tensor[i32, M, N]],
) -> None:
    for i in tiles(M, 8):
        x = a[i, :]
        s = b[i, :]
        curve = exp(minimum(x, s)) + log(maximum(absolute(x), 1.0)) - tanh(x) * sigmoid(s)
        root = sqrt(absolute(s)) / rsqrt(absolute(x) + 1.0)
        low = where(x < s, curve, -root)
        high = where(x > s, low, full(f32, 2.0, i, N))
        both = where(x <= s, high, low) + where(x >= s, low, high)
        same = where(x == s, high, both) + where(x != s, low, zeros(f32, i, N))
        spread = reduce_max(same, axis=1) - reduce_min(same, axis=1) + reduce_sum(same, axis=1)
        y[i, :] = same / (absolute(spread) + 1.0)
        t[:, i] = transpose(same)
        n[i, :] = cast(same, i32)
        p[i, :] = matmul(x, w[:, :])
