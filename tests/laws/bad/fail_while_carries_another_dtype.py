import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, cast, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    e = x[:]
    n = 0
    while n < 8:
        e = cast(e, i32)
        n += 1
    y[:] = cast(e, f32)

# kind: assignment; another dtype in a while
# expect: tile.retyped 13
# text: `e` is `Tile[i32, N]` here and `Tile[f32, N]` where it was first bound
