import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = zeros(f32, i, N + 1)

# kind: zeros; more columns than there are
# expect: tile.shape-mismatch 12
# text: extents `N` and `N + 1` differ at dimension 1 of `tile.store`
