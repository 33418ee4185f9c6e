import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * tiles

# kind: a name; tiles, not called
# expect: tile.not-a-value 11
# text: `tiles` is `htp_tile.tiles`, not a value of the tile language
