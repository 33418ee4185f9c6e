import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = zeros(f32, i, -1)

# kind: zeros; an extent of -1
# expect: tile.bad-extent 12
# text: `-1` is not an extent: an int, a dim or a block
