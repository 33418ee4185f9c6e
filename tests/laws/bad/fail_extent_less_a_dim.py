import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, 64 - M]], y: Out[Tensor[f32, 64 - M]]) -> None:
    y[:] = x[:]

# kind: a parameter; an extent that is less a dim that has no size
# expect: tile.bad-extent 9
# text: `64 - M` is not an extent: an int, a dim or a block
# expect: tile.bad-extent 9
# text: `64 - M` is not an extent: an int, a dim or a block
