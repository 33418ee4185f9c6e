import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        if x[i, :] > 0.0:
            pass
        y[i, :] = x[i, :]

# kind: if; a comparison of a tile
# expect: tile.runtime-if 12
# text: `if` on a tile: `x[i, :] > 0.0` holds a value for each element
