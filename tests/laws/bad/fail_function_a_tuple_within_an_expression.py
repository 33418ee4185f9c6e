import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v):
    return v, v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :]) + 1.0

# kind: a function of the file; a tuple within an expression
# options: --entry k
# expect: tile.unsupported 16
# text: the tile language has no tuples
