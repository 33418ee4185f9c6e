import htp
from htp import In, Out, f32
from htp_tile import Tensor, holds, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    n = 3
    if holds(n):
        y[0] = 0.0

# kind: holds; an int
# expect: tile.not-a-tile 12
# text: the argument `x` of `tile.holds` is not a tile: `n`
