import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 32), (1, 0))]]) -> None:
    y[:, :] = x[:, :] + z[:, :]

# kind: a layout; other elements altogether
# options: --entry k
# expect: tile.layout-mismatch 8
# text: `tile.add` expects the layout `htp.layout(((512, 1, "m"),))`, got `htp.layout(((8, 1, "m"), (32, 8, "m")))`
