import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    n = 0
    while n < 8:
        n += 1
    else:
        n = 0

# kind: while; else
# expect: tile.unsupported 15
# text: the tile language has no `else` of loops
