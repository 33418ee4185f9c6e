import htp
from htp import In, Out, f32
from htp_tile import Tensor, holds, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    if holds(x[:] > 0.0):
        y[0] = 0.0

# kind: holds; a mask of many elements
# expect: tile.one-element 11
# text: `tile.holds` takes a tile of one element, not `Tile[bool_, N]`
