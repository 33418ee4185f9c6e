import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(M, 8):
            y[i, :] = x[i, :] - x[j, :]

# kind: -; two blocks of a dim
# expect: tile.shape-mismatch 13
# text: extents `i` and `j` differ at dimension 0 of `tile.sub`
