import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = 0.0
    for p in range(8):
        y[:, : min(p, M)] = 1.0

# kind: a slice; as long as an int that has no name
# expect: tile.bad-extent 12
# text: `min(p, M)` is not an extent: an int, a dim or a block
