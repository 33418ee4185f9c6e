import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8.0):
        y[i, :] = x[i, :]

# kind: tiles; a float for the size
# expect: tile.not-constant 11
# text: the size of `tiles` must be a compile-time int, not `8.0`
