import htp
from htp import In, Out, f32, i32
from htp_tile import index, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(n: In[Tensor[i32, M, N]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for m in range(index(n[0, :])):
        y[m, :] = x[m, :]

# kind: index; a row
# expect: tile.one-element 11
# text: `tile.index` takes a tile of one element, not `Tile[i32, 1, N]`
