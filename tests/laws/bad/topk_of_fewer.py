import htp
from htp import In, InOut, Out, f16, f32, f8e4m3, i32
from htp_tile import Tensor, kernel, tiles, topk

M = htp.dim("M")
N = htp.dim("N")


@kernel
def bad(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 5]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = topk(x[i, :], 5, axis=1)

# expect: tile.bad-count 12
