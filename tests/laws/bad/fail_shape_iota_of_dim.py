import htp
from htp import In, Out, i32
from htp_tile import iota, kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[i32, M]], y: Out[Tensor[i32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i] + iota(i32, M, axis=0)

# kind: +; iota of a dim with a block
# expect: tile.shape-mismatch 11
# text: extents `i` and `M` differ at dimension 0 of `tile.add`
