import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N * N]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[:, 0]

# kind: a parameter; an extent of a dim that has no size
# expect: tile.bad-extent 10
# text: `N * N` is not an extent: an int, a dim or a block
