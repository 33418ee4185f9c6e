import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(scale: f32, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    scale = scale * 2
    y[:, :] = x[:, :] * scale

# kind: assignment; a scalar parameter
# expect: tile.shadowed 11
# text: `scale` already stands for a parameter
