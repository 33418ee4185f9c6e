import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], n: int, y: Out[Tensor[f32, M]]) -> None:
    h = buffer(f32, n)
    y[:] = x[:]

# kind: buffer; an int that the call gives
# expect: tile.bad-extent 10
# text: `n` is not an extent: an int, a dim or a block
