import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[..., 0, ...]

# kind: load; two ellipses
# expect: tile.bad-index 11
# text: `...` cannot index a dimension
