import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] - tiles

# kind: -; a tile with a function
# expect: tile.not-a-value 12
# text: `tiles` is `htp_tile.tiles`, not a value of the tile language
