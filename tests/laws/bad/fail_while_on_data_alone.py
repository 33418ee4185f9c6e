import htp
from htp import In, Out, f32
from htp_tile import Tensor, holds, kernel, reduce_any, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        e = x[i]
        while holds(reduce_any(e > 1.0, axis=0)):
            e = e * 0.5
        y[i] = e

# kind: while; what holds of data
# expect: tile.endless 12
# text: this `while` may run for ever
