import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, width=8):
        y[i, :] = x[i, :]

# kind: tiles; a keyword width
# expect: tile.missing-argument 11
# text: `tiles` needs the argument `size`
# expect: tile.unknown-keyword 11
# text: `tiles` has no parameter `width`
