import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        e = x[i]
        n = 0
        while n < 8 and e > 1.0:
            e = e * 0.5
            n += 1
        y[i] = e

# kind: while; a mask of many elements
# expect: tile.runtime-if 13
# text: `while` on a tile: `e > 1.0` holds a value for each element
