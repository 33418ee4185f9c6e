import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8, 4):
        y[i, :] = x[i, :]

# kind: tiles; three arguments
# expect: tile.too-many-arguments 11
# text: `tiles` takes at most 2 positional arguments, not 3
