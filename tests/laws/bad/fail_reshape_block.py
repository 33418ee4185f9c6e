import htp
from htp import In, Out, f32
from htp_tile import kernel, reshape, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = reshape(x[i, :], M)

# kind: reshape; a block as the dim
# expect: tile.reshape-mismatch 11
# text: `Tile[f32, i, 1]` has not the elements of `M`, or not in that order
