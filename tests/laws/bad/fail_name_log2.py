import htp
import htp_tile as tile
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = tile.log2(x[i, :])

# kind: a word of other libraries; whose nearest intrinsic means something else
# expect: tile.unknown-call 13
# text: `tile.log2` is not an intrinsic
