import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(x[i, :] > 0.0, 1.0, x[i, :], 0.0)

# kind: where; four arguments
# expect: tile.too-many-arguments 12
# text: `tile.where` takes at most 3 positional arguments, not 4
