import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_max, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, 0] - reduce_max(x[:, :], axis=1)

# kind: -; what axis 0 leaves
# expect: tile.shape-mismatch 12
# text: extents `i` and `M` differ at dimension 0 of `tile.sub`
