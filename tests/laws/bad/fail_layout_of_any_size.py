import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter's layout; a dim of any size
# expect: tile.layout-size 9
# text: a layout of 512 elements does not lay out `Tensor[f32, M, 64, htp.layouts.ordered((8, 64), (0, 1))]`, which has as many as `M` says
