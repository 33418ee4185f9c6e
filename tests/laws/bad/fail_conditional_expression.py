import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:] if x[:] > 0.0 else -x[:]

# kind: a conditional expression; on a tile
# expect: tile.runtime-if 10
# text: `if` on a tile: `x[:] > 0.0` holds a value for each element
