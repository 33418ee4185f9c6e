import htp
from htp import In, Out, f32
from htp_tile import kernel, relayout, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = relayout(x[:, :], htp.layouts.ordered((8, 32), (0, 1)))

# kind: a layout; another number of elements
# options: --entry k
# expect: tile.layout-size 8
# text: a layout of 256 elements does not lay out `Tile[f32, 8, 64]`, which has 512
