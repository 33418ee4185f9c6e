import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, transpose

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = transpose(x[:, :])

# kind: store; a transposed tile
# expect: tile.shape-mismatch 11
# text: extents `M` and `N` differ at dimension 0 of `tile.store`
