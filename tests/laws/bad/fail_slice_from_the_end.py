import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = x[:, :]
    y[:, -8:] = 0.0

# kind: a slice; from the end
# expect: tile.bad-index 11
# text: `-8` cannot index a dimension
