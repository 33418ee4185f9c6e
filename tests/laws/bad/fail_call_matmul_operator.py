import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] @ 2

# kind: @; tile with number
# expect: tile.not-a-tile 11
# text: the argument `b` of `tile.matmul` is not a tile: `2`
