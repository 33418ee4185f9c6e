import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = 0.0
    y[:, 8:8] = 1.0

# kind: a slice; of nothing
# expect: tile.bad-extent 11
# text: `0` is not an extent: an int, a dim or a block
