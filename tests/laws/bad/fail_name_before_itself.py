import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        exp = exp(x[i, :])
        y[i, :] = exp

# kind: an assignment; its own intrinsic
# expect: tile.use-before-definition 12
# text: `exp` is used before it is bound
