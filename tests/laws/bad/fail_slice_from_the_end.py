import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = x[:, :]
    y[:, -80:] = 0.0

# kind: a slice; from before the begin
# expect: tile.index-range 11
# text: index -80 is outside dimension 1 of `y`, which is 64
