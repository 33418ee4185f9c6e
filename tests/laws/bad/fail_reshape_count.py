import htp
from htp import In, Out, f32
from htp_tile import kernel, reshape, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 9]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = reshape(x[i, :], i, 9)

# kind: reshape; 8 elements as 9
# expect: tile.reshape-mismatch 11
# text: `Tile[f32, i, 8]` has not the elements of `i, 9`, or not in that order
