import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")

SIZE = 1


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE // 2):
        y[i, :] = x[i, :]

# kind: tiles; a constant size of 0
# expect: tile.bad-size 13
# text: a block needs a positive size, not 0
