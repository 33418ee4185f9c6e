import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        x = x[i, :]
        y[i, :] = x

# kind: an assignment; to a parameter
# expect: tile.shadowed 12
# text: `x` already stands for a tensor
# expect: tile.whole-tensor 13
# text: `x` is a tensor in memory, not a tile
