import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(min(M, 8) + 1, 8):
        y[:, :] = x[:, :]

# kind: tiles; a minimum and 1
# expect: tile.bad-extent 11
# text: `min(M, 8) + 1` is not an extent: an int, a dim or a block
