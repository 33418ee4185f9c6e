import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")

LAST = 7


@kernel
def k(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, 0] = x[:, LAST + 1]

# kind: load; a constant past the extent
# expect: tile.index-range 12
# text: index 8 is outside dimension 1 of `x`, which is 8
