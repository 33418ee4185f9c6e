import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, 0] = w[i]

# kind: store; 1 dimension to 2
# expect: tile.shape-mismatch 11
# text: extents `1` and `i` differ at dimension 1 of `tile.store`
