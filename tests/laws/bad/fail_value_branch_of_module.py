import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

if True:
    SCALE = 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * SCALE

# kind: a name; bound in an if of the module
# expect: tile.not-compile-time 14
# text: `SCALE` has no value known when compiling
