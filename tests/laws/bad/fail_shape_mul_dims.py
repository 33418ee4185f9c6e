import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M]], w: In[Tensor[f32, N]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[:] * w[:]

# kind: *; two dims
# expect: tile.shape-mismatch 11
# text: extents `M` and `N` differ at dimension 0 of `tile.mul`
