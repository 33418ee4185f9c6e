import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[1.0, :] = x[0, :]

# kind: store; a float
# expect: tile.bad-index 11
# text: `1.0` cannot index a dimension
