import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.vectorized(tiles(M, 8), width=4):
        y[i, :] = x[i, :]

# kind: htp.vectorized; a keyword width
# expect: tile.unknown-keyword 11
# text: `htp.vectorized` has no parameter `width`
