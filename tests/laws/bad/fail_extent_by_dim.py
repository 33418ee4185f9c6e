import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N // M]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, 0]

# kind: a parameter; a dim divided by a dim
# expect: tile.bad-extent 10
# text: `N // M` is not an extent: an int, a dim or a block
