"""Where each row first rises above a threshold, and the sum up to there; rows that are marked are left alone, and nothing follows a row whose
first element is -1."""

import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, full, holds, index, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def first_spike(
    x: In[Tensor[f32, M, N]], marked: In[Tensor[i32, M]], above: f32, where: InOut[Tensor[i32, M]], total: InOut[Tensor[f32, M]]
) -> None:
    for p in range(M):
        if index(marked[p]) == 1:
            continue
        sum = full(f32, 0.0, 1, 1)
        for q in range(N):
            if holds(x[p, q] == -1.0):
                return
            if holds(x[p, q] > above):
                where[p] = q
                break
            sum = sum + x[p, q]
        else:
            where[p] = -1
        total[p] = sum
