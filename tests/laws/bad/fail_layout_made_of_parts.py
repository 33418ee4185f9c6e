import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout


@kernel
def k(x: In[Tensor[f32, 64, 32, htp.layouts.shard((64, 32), (None, None), mesh={"x": 2})]], y: Out[Tensor[f32, 64, 32]]) -> None:
    y[:, :] = relayout(x[:, :], htp.layouts.shard((64, 32), (None, None), mesh={"x": 2}, pending={"x": "sum"}))


# kind: relayout of a value; to parts of a sum
# expect: tile.no-relayout 8
# text: nothing leads from the layout `htp.layout(((2048, 1, "m"),), replicate=((2, 1, "x"),))` to `htp.layout(((2048, 1, "m"),), pending=((2, 1, "x", "sum"),))`
