import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 32), (1, 0))]]) -> None:
    y[:, :] = x[:, :] + z[:, :]

# kind: a layout; other elements altogether
# options: --entry k
# expect: tile.layout-size 7
# text: a layout of 256 elements does not lay out `Tensor[f32, 8, 64, htp.layouts.ordered((8, 32), (1, 0))]`, which has 512
