import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]], y: Out[Tensor[f32, 8, 64, htp.layouts.packed((8, 64), (8, 8), (0, 1), (0, 1))]]) -> None:
    y[:, :] = x[:, :]

# kind: a layout; stored elsewhere
# options: --entry k
# expect: tile.layout-mismatch 8
# text: `tile.store` expects the layout `htp.layout(((8, 8, "m"), (8, 64, "m"), (8, 1, "m")))`, got `htp.layout(((512, 1, "m"),))`
