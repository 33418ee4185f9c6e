import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = zeros()

# kind: zeros; no dtype
# expect: tile.missing-argument 12
# text: `tile.zeros` needs the argument `dtype`
