import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    for i in tiles(t, 8):
        y[:, :] = t

# kind: tiles; a tile
# expect: tile.bad-extent 12
# text: `t` is not an extent: an int, a dim or a block
