import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + w[i]

# kind: +; rows with a column of 1 dimension
# expect: tile.shape-mismatch 12
# text: extents `N` and `i` differ at dimension 1 of `tile.add`
