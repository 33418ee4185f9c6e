"""Tiles and a buffer of `M - 2` rows, where M is 0 or 1: there are none, as in the slice `1:M - 1`."""

#: M=0 N=3; M=1 N=3; M=2 N=17; M=5 N=3; M=1 N=0

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, buffer, cast, full, iota, kernel, reduce_max, reduce_sum, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def fewer_than_none(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f32, 1, N]]) -> None:
    h = buffer(f32, M - 2, N)
    h[:, :] = full(f32, 2.0, M - 2, N)
    y[:, :] = x[:, :]
    y[1 : M - 1, :] = h[:, :] * x[1 : M - 1, :] + cast(iota(i32, M - 2, 1, axis=0), f32)
    s[:, :] = reduce_sum(h[:, :], axis=0) + reduce_max(full(f32, -3.0, M - 2, N), axis=0) + reduce_sum(zeros(f32, M - 2, N), axis=0)
