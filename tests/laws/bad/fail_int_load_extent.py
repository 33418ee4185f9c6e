import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, 0] = x[:, 4]

# kind: load; the extent, an int
# expect: tile.index-range 10
# text: index 4 is outside dimension 1 of `x`, which is 4
