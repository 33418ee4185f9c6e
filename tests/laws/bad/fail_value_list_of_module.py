import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

TABLE = [1, 2]


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * TABLE

# kind: a name; a list of the module
# expect: tile.not-compile-time 13
# text: `TABLE` has no value known when compiling
