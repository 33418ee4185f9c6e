import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles
import htp_tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = htp_tile.sigmoyd(x[i, :])

# kind: a call; an intrinsic one letter off
# expect: tile.unknown-call 13
# text: `htp_tile.sigmoyd` is not an intrinsic
