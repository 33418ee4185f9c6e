import htp
from htp import In, Out, f32
from htp_tile import full, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = full(f32, 1.0, i, x[i, :])

# kind: full; a tile for an extent
# expect: tile.bad-extent 12
# text: `x[i, :]` is not an extent: an int, a dim or a block
