"""The 8 largest of each row and where they stand, the largest first: what a sampler keeps of its logits."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, argtopk, gather, kernel, tiles

M = htp.dim("M")
N = 100
K = 8


@kernel
def topk(x: In[Tensor[f32, M, N]], values: Out[Tensor[f32, M, K]], places: Out[Tensor[i32, M, K]]) -> None:
    for i in tiles(M, 4):
        row = x[i, :]
        best = argtopk(row, K, axis=1)
        values[i, :] = gather(row, best, axis=1)
        places[i, :] = best
