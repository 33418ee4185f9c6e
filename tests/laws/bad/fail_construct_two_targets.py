import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a, b = x[:, :], x[:, :], x[:, :]
    y[:, :] = a

# kind: two targets of three values; in a kernel
# expect: tile.unsupported 11
# text: the tile language has no tuples
