import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, "x"), mesh={"x": 4})]]) -> None:
    y[:, :] = x[:, :] + z[:, :]

# kind: a layout; devices meet
# options: --entry k
# expect: tile.layout-mismatch 8
# text: `tile.add` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((8, 16, "m"), (4, 1, "x"), (16, 1, "m")))`
