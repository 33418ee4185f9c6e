import htp
from htp import In, Out, f32
from htp_tile import buffer, kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    h = buffer(f32, x[:])
    y[:] = x[:]

# kind: buffer; a tile for an extent
# expect: tile.bad-extent 10
# text: `x[:]` is not an extent: an int, a dim or a block
