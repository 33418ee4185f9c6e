import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for N in tiles(M, 8):
        y[N, :] = x[N, :]

# kind: for; over the name of a dim
# expect: tile.shadowed 11
# text: `N` already stands for a dim of the module
