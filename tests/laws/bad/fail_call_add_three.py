import htp
from htp import In, Out, f32
from htp_tile import add, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = add(x[i, :], 1.0, 2.0)

# kind: add; three arguments
# expect: tile.too-many-arguments 12
# text: `tile.add` takes at most 2 positional arguments, not 3
