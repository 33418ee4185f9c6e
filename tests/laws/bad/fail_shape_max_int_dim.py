import htp
from htp import In, Out, f32
from htp_tile import kernel, maximum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, 4]], w: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = maximum(x[i, :], w[i, :])

# kind: maximum; an int with a dim
# expect: tile.shape-mismatch 12
# text: extents `4` and `N` differ at dimension 1 of `tile.maximum`
