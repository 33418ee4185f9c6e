import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul


@kernel
def k(
    a: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), ("x", None), mesh={"x": 2})]],
    b: In[Tensor[f32, 32, 48, htp.layouts.shard((32, 48), ("x", None), mesh={"x": 2})]],
    y: Out[Tensor[f32, 64, 48, htp.layouts.shard((64, 48), (None, None), mesh={"x": 2})]],
) -> None:
    y[:, :] = matmul(a[:, :], b[:, :])


# kind: matmul of operands cut over one axis; rows and depth
# expect: tile.not-distributed 12
# text: `tile.matmul` has no result on the devices: a dimension would be cut over `x`, on which a sum is pending
