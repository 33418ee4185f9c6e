"""Into which bucket each number falls: the first whose upper edge is not below it, found by halving."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, full, holds, kernel

N = htp.dim("N")
M = htp.dim("M")


@kernel
def buckets(x: In[Tensor[f32, N]], edges: In[Tensor[f32, M]], bucket: Out[Tensor[i32, N]]) -> None:
    for p in htp.parallel(range(N)):
        low = 0
        high = M
        while low < high:
            middle = (low + high) // 2
            if holds(edges[middle] < x[p]):
                low = middle + 1
            else:
                high = middle
        bucket[p] = full(i32, low, 1)
