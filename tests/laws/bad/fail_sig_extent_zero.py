import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, 0]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: an extent; 0
# expect: tile.bad-extent 10
# text: `0` is not an extent: an int, a dim or a block
