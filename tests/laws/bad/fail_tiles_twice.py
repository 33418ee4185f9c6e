import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8, extent=N):
        y[i, :] = x[i, :]

# kind: tiles; the extent twice
# expect: tile.repeated-argument 11
# text: `tiles` got the argument `extent` twice
