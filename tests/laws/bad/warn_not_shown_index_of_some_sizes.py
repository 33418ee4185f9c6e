import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        y[i, :] = y[i, :] + x[3, :]

# kind: load; a row that some sizes have
# expect: tile.maybe-outside 13
# text: index `3` may be outside dimension 0, as when M = 1 and N = 1
