import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")

SIZE = 8
SIZE += 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        y[i, :] = x[i, :]

# kind: tiles; a constant that the module adds to
# expect: tile.not-compile-time 14
# text: `SIZE` has no value known when compiling
