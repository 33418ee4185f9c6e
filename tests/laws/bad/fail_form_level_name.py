import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level=M):
        y[i, :] = x[i, :]

# kind: htp.parallel; a name for the level
# expect: tile.bad-level 11
# text: a level is named by a string, not by `M`
