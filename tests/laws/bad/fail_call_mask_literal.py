import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(True, x[i, :], 0.0)

# kind: where; a literal as the condition
# expect: tile.not-a-tile 12
# text: the argument `condition` of `tile.where` is not a tile: `True`
