import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 8):
        y[i:, :] = x[i:, :]

# kind: a slice; from a block on
# expect: tile.int-expected 11
# text: `i` is not an int
# expect: tile.int-expected 11
# text: `i` is not an int
