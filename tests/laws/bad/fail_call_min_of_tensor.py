import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(min(x, 4)):
        y[n, :] = x[n, :]

# kind: min; a tensor
# expect: tile.builtin-on-tile 11
# text: `min` compares ints, but `x` is a tile
