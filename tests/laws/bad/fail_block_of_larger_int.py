import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 8, N]], y: Out[Tensor[f32, 8, N]]) -> None:
    for i in tiles(16, 4):
        t = x[i, :]
    y[:, :] = x[:, :]

# kind: load; a block of 16 in 8
# expect: tile.index-extent 11
# text: `i` runs over `16`, but dimension 0 of `x` is `8`
