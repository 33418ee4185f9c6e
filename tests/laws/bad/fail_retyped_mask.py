import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        t = x[i]
        t = t > 0.0
        y[i] = x[i]

# kind: assignment; a mask
# expect: tile.retyped 12
# text: `t` is `Tile[bool_, i]` here and `Tile[f32, i]` where it was first bound
