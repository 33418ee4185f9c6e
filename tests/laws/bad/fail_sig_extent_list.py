import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

SIZES = [1, 2]


@kernel
def k(x: In[Tensor[f32, M, SIZES]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: an extent; a list of the module
# expect: tile.bad-extent 12
# text: `SIZES` is not an extent: an int, a dim or a block
