import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        exp(x[i, :])
        y[i, :] = x[i, :]

# kind: a statement; a call without effects
# expect: tile.unused-result 12
# text: the result of `exp(x[i, :])` is not used
