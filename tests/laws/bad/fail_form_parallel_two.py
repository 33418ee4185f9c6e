import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), tiles(M, 8)):
        y[i, :] = x[i, :]

# kind: htp.parallel; two ranges
# expect: tile.bad-loop 11
# text: a `for` of the tile language runs over `tiles` or `range`, not `htp.parallel(tiles(M, 8), tiles(M, 8))`
