import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 4, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    for j in tiles(N, 8):
        y[j, :] = x[0, :]

# kind: store; a block of a dim in an int
# expect: tile.index-extent 11
# text: `j` runs over `N`, but dimension 0 of `y` is `4`
