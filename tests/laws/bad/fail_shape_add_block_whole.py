import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8):
            y[i, j] = x[i, j] + x[i, :]

# kind: +; a block with the dim
# expect: tile.shape-mismatch 13
# text: extents `j` and `N` differ at dimension 1 of `tile.add`
