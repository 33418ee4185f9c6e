import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_min, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] - reduce_min(x[i, :], axes=1)

# kind: reduce_min; axes for axis
# expect: tile.unknown-keyword 12
# text: `tile.reduce_min` has no parameter `axes`
