import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + w[:]

# kind: +; 2 with 1 dimensions
# expect: tile.rank-mismatch 12
# text: `tile.add` needs tiles of 2 dimensions, not `N`
