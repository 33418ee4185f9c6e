import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    t = 3
    y[:, :] = x[:, :]

# kind: an assignment; an int to a tile's name
# expect: tile.shadowed 12
# text: `t` already stands for a tile
