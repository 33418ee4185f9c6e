import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.pipelined(tiles(M, 8), depth=1.5):
        y[i, :] = x[i, :]

# kind: htp.pipelined; a float for the depth
# expect: tile.not-constant 11
# text: `depth` must be a compile-time int, not `1.5`
