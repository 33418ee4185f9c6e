import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    scale = 1.0
    scale = 2.0
    y[:, :] = x[:, :] * scale

# kind: an assignment; a float bound twice
# expect: tile.changing-float 11
# text: `scale` is a float that changes
# expect: tile.changing-float 12
# text: `scale` is a float that changes
