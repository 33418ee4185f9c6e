import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n, i in enumerate(tiles(M, 8)):
        y[i, :] = x[i, :]

# kind: for; over enumerate
# expect: tile.bad-loop 11
# text: a `for` of the tile language runs over `tiles` or `range`, not `enumerate(tiles(M, 8))`
# expect: tile.bad-target 11
# text: `(n, i)` cannot be assigned to
