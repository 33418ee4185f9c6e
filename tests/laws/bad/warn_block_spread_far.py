import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i * 2, :]

# kind: load; a block spread by 2
# expect: tile.maybe-outside 12
# text: index `i * 2` may be outside dimension 0, as when M = 2, N = 1 and i = 0
