import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for j in tiles(N, 8):
        y[j, :] = x[0, :]

# kind: store; a block of another dim
# expect: tile.index-extent 12
# text: `j` runs over `N`, but dimension 0 of `y` is `M`
