import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")

SIZE = 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        SIZE = 4
        y[i, :] = x[i, :]

# kind: an assignment; to a constant
# expect: tile.shadowed 14
# text: `SIZE` already stands for a constant of the module
