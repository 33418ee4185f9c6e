import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul


@kernel
def k(
    a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, "x"), mesh={"x": 2})]],
    b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]],
    y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), (None, None), mesh={"x": 2})]],
) -> None:
    y[:, :] = matmul(a[:, :], b[:, :])


# kind: matmul over a dimension cut over devices; stored
# expect: tile.pending 12
# text: `tile.store` needs the sum over `x`, which is still to be made
