import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = 0.0
    y[:, : 64 / 2] = 1.0

# kind: a slice; a float
# expect: tile.int-expected 11
# text: `64 / 2` is not an int
