import htp
from htp import In, Out, f32, i32
from htp_tile import index, kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(n: In[Tensor[i32, M]], x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[index(n[i])]

# kind: index; a block's elements
# expect: tile.one-element 11
# text: `tile.index` takes a tile of one element, not `Tile[i32, i]`
