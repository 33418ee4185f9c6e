"""Each element with those above and below, zeros beyond the ends, by weights of which there are more tensors than a core has channels."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, load, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def bordered(x: In[Tensor[f32, M, N]], side: In[Tensor[f32, 1, N]], middle: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in range(M):
        for j in tiles(N, 16):
            above = load(x, i - 1, j, outside=0.0)
            here = load(x, i, j, outside=0.0)
            below = load(x, i + 1, j, outside=0.0)
            y[i, j] = (above + below) * side[:, j] + here * middle[:, j]
