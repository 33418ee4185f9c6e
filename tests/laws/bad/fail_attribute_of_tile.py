import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    y[:, :] = t.shape

# kind: an attribute; of a tile
# expect: tile.unknown-attribute 12
# text: `t` has no attribute `shape`
