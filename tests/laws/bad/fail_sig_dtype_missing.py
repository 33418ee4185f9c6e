import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a dtype; extents alone
# expect: tile.unknown-dtype 10
# text: `M` is not a dtype
