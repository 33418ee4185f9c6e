import htp
from htp import In, Out, f32
from htp_tile import kernel, store, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for j in tiles(N, 8):
        store(y, x[0, j], 0, j)
        store(y, x[0, 0], j, 0)

# kind: store called; a block of another dim
# expect: tile.index-extent 13
# text: `j` runs over `N`, but dimension 0 of `y` is `M`
