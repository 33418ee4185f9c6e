import htp
from htp import In, Out, f32
from htp_tile import kernel, maximum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = maximum(1.0, 2.0)

# kind: maximum; two literals
# expect: tile.not-a-tile 12
# text: the argument `a` of `tile.maximum` is not a tile: `1.0`
