import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    for n in range(len(t)):
        y[n, :] = x[n, :]

# kind: len; a tile
# expect: tile.bad-extent 12
# text: `t` is not an extent: an int, a dim or a block
