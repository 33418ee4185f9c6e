import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = zeros(x[i, :], i, N)

# kind: zeros; a tile for a dtype
# expect: tile.unknown-dtype 12
# text: `x[i, :]` is not a dtype
