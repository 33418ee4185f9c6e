import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in htp.pipelined(tiles(N, 8), depth=0):
        y[i] = x[i]
    for i in htp.vectorized(tiles(N, 8), lanes=4):
        y[i] = x[i]
    for i in htp.parallel(tiles(N, 8), level=3):
        y[i] = x[i]

# kind: loops; each form's mistakes at once
# expect: tile.bad-depth 10
# text: a pipelined loop has a depth of at least 1, not 0
# expect: tile.unknown-keyword 12
# text: `htp.vectorized` has no parameter `lanes`
# expect: tile.bad-level 14
# text: a level is named by a string, not by `3`
