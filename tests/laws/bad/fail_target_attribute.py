import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    x.scale = 1.0
    y[:, :] = x[:, :]

# kind: an assignment; to an attribute
# expect: tile.bad-target 11
# text: `x.scale` cannot be assigned to
