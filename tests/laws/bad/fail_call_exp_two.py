import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = exp(x[i, :], 2.0)

# kind: exp; two arguments
# expect: tile.too-many-arguments 12
# text: `tile.exp` takes at most 1 positional arguments, not 2
