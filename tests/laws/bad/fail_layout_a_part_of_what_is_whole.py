import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, where


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4}, pending={"x": "sum"})]], y: Out[Tensor[f32, 8, 64]], z: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), (None, None), mesh={"x": 4})]]) -> None:
    y[:, :] = where(x[:, :] > 0, x[:, :], z[:, :])

# kind: a layout; a part of what is whole
# options: --entry k
# expect: tile.pending 8
# text: `tile.gt` needs the sum over `x`, which is still to be made
