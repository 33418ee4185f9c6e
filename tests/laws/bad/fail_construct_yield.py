import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    yield x

# kind: yield; in a kernel
# expect: tile.unsupported 12
# text: the tile language has no `yield`
