import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, Tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t: Tile[f32, M, N]
    y[:, :] = x[:, :]

# kind: a declaration; in a kernel
# expect: tile.unsupported 11
# text: the tile language has no declarations without a value
