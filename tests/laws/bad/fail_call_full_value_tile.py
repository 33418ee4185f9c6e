import htp
from htp import In, Out, f32
from htp_tile import full, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = full(f32, x[i, :], i, N)

# kind: full; a tile for the value
# expect: tile.not-literal 12
# text: `value` of `tile.full` must be known when compiling, not `x[i, :]`
