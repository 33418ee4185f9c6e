import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, 0] = x[i, :]

# kind: store; a dim to one element
# expect: tile.shape-mismatch 12
# text: extents `1` and `N` differ at dimension 1 of `tile.store`
