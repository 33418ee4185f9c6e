import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, transpose

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    y[:, :] = x[:, :] == transpose(x[:, :])

# kind: ==; a transposed tile
# expect: tile.shape-mismatch 11
# text: extents `M` and `N` differ at dimension 0 of `tile.eq`
