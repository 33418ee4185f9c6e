import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[:, :] = x[i, :]

# kind: store; a block to the dim
# expect: tile.shape-mismatch 12
# text: extents `M` and `i` differ at dimension 0 of `tile.store`
