import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(8.0, 8):
        y[:, :] = x[:, :]

# kind: tiles; a float
# expect: tile.bad-extent 11
# text: `8.0` is not an extent: an int, a dim or a block
