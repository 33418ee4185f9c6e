import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = min(x[:, :], x[:, :])

# kind: min; tiles
# expect: tile.builtin-on-tile 11
# text: `min` compares ints, but `x[:, :]` is a tile
