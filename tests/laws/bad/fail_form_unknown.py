import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.tiled(tiles(M, 8)):
        y[i, :] = x[i, :]

# kind: htp.tiled; a word that htp has not
# expect: tile.bad-loop 11
# text: a `for` of the tile language runs over `tiles` or `range`, not `htp.tiled(tiles(M, 8))`
