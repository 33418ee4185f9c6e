import htp
from htp import In, Out, f32
from htp_tile import kernel, minimum, Tensor

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, B, M, N]], w: In[Tensor[f32, B]], y: Out[Tensor[f32, B, M, N]]) -> None:
    y[:, :, :] = minimum(x[:, :, :], w[:])

# kind: minimum; 3 with 1 dimensions
# expect: tile.shape-mismatch 12
# text: extents `N` and `B` differ at dimension 2 of `tile.minimum`
