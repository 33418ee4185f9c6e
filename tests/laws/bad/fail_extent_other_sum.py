import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N + 2]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, 1:]

# kind: store; one column more than there are
# expect: tile.shape-mismatch 11
# text: extents `N` and `N + 1` differ at dimension 1 of `tile.store`
