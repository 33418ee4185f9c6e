import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")

SIZE = 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for SIZE in tiles(M, 8):
        y[SIZE, :] = x[SIZE, :]

# kind: for; over the name of a constant
# expect: tile.shadowed 13
# text: `SIZE` already stands for a constant of the module
