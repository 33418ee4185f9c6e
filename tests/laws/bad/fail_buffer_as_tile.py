import htp
from htp import In, Out, f32
from htp_tile import buffer, kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    h = buffer(f32, M)
    h[:] = x[:]
    y[:] = h + 1.0

# kind: +; a buffer
# expect: tile.whole-tensor 12
# text: `h` is a tensor in memory, not a tile
