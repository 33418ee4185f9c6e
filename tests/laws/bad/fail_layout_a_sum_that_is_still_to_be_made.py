import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4}, pending={"x": "sum"})]]) -> None:
    y[:, :] = x[:, :] * z[:, :]

# kind: a layout; a sum that is still to be made
# options: --entry k
# expect: tile.layout-mismatch 8
# text: `tile.mul` expects the layout `htp.layout(((4, 1, "x"), (128, 1, "m")))`, got `htp.layout(((512, 1, "m"),), pending=((4, 1, "x", "sum"),))`
