import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    for t in tiles(M, 8):
        y[t, :] = x[t, :]

# kind: for; over the name of a tile
# expect: tile.shadowed 12
# text: `t` already stands for a tile
