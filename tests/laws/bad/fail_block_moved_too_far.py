import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i + 1, :]

# kind: load; a block moved by 1
# expect: tile.outside 12
# text: index `i + 1` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1 and i = 0
