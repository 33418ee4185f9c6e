import htp
from htp import In, Out, f32
from htp_tile import kernel, tanh, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = tanh(f32)

# kind: tanh; a dtype
# expect: tile.not-a-tile 12
# text: the argument `x` of `tile.tanh` is not a tile: `f32`
