import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, tiles, where

M = htp.dim("M")


@kernel
def k(c: In[Tensor[bool_, M]], x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = where(c[i], x[i], x[:])

# kind: where; a block or a dim
# expect: tile.shape-mismatch 11
# text: extents `i` and `M` differ at dimension 0 of `tile.where`
