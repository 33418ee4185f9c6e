import htp
from htp import In, InOut, Out, f16, f32, f8e4m3, i32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def bad(x: In[Tensor[f32, M, M]], n: In[Tensor[i32, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in tiles(M, 8):
        y[i, i] = x[n[i], n[i]]

# expect: tile.many-tiles 12
