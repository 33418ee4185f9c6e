import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, kernel


@kernel
def k(x: In[Tensor[f32, 8, 8]], y: Out[Tensor[f32, 8, 8]]) -> None:
    a: Tile[f32, 8, 8, htp.layout(((8, 8, "m"), (8, 1, "m")))] = x[:, :]
    b: Tile[f32, 8, 8, htp.layout(((8, 8, "lane"), (8, 1, "lane")))] = x[:, :]
    y[:, :] = a * b

# kind: *; an axis m with an axis lane
# expect: tile.layout-mismatch 10
# text: `tile.mul` expects the layout `htp.layout(((64, 1, "m"),))`, got `htp.layout(((64, 1, "lane"),))`
