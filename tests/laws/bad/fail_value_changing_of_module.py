import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

SCALE = 1.0
SCALE = 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * SCALE

# kind: a name; bound twice in the module
# expect: tile.not-compile-time 14
# text: `SCALE` has no value known when compiling
