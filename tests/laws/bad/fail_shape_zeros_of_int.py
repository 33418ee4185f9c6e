import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i] + zeros(f32, 8)

# kind: +; zeros of 8 with a block
# expect: tile.shape-mismatch 11
# text: extents `i` and `8` differ at dimension 0 of `tile.add`
