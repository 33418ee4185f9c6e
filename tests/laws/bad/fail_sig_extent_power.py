import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, M ** 2]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: an extent; M squared
# expect: tile.bad-extent 10
# text: `M ** 2` is not an extent: an int, a dim or a block
