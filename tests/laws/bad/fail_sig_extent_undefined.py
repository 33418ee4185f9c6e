import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

def scale():
    pass


@kernel
def k(x: In[Tensor[f32, M, scale]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: an extent; a name of the file that is no dim
# expect: tile.bad-extent 13
# text: `scale` is not an extent: an int, a dim or a block
