import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t = w[i]
        t = x[i, :]
        y[i, :] = t

# kind: assignment; another rank
# expect: tile.retyped 13
# text: `t` is `Tile[f32, i, N]` here and `Tile[f32, i]` where it was first bound
# expect: tile.shape-mismatch 14
# text: extents `N` and `i` differ at dimension 1 of `tile.store`
