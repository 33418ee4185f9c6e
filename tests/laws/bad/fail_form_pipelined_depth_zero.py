import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.pipelined(tiles(M, 8), depth=0):
        y[i, :] = x[i, :]

# kind: htp.pipelined; a depth of 0
# expect: tile.bad-depth 11
# text: a pipelined loop has a depth of at least 1, not 0
