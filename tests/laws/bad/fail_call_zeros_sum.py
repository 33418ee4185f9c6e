import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = zeros(f32, i, N + 1)

# kind: zeros; an extent that is a sum
# expect: tile.bad-extent 12
# text: `N + 1` is not an extent: an int, a dim or a block
