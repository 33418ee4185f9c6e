import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    y[:, :] = t
    del t

# kind: del; in a kernel
# expect: tile.unsupported 13
# text: the tile language has no `del`
