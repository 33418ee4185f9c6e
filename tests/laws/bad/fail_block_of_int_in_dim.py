import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(64, 8):
        t = x[i, :]
    y[:, :] = x[:, :]

# kind: load; a block of an int in a dim
# expect: tile.index-extent 12
# text: `i` runs over `64`, but dimension 0 of `x` is `M`
