import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")


@kernel
def bad(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in htp.pipelined(tiles(M, 8), depth=0):
        y[i] = x[i]
    for i in htp.pipelined(tiles(M, 8)):
        y[i] = x[i]
    for i in htp.vectorized(tiles(M, 8), lanes=4):
        y[i] = x[i]
    for i in htp.parallel(tiles(M, 8), level=3):
        y[i] = x[i]
    for p in range(0, M, 0):
        y[p] = x[p]


# expect: tile.bad-depth 10
# expect: tile.missing-argument 12
# expect: tile.unknown-keyword 14
# expect: tile.bad-level 16
# expect: tile.no-step 18
