import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(c: In[Tensor[bool_, M]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = where(c[:], x[:, :], 0.0)

# kind: where; a mask of 1 dimension with 2
# expect: tile.shape-mismatch 11
# text: extents `N` and `M` differ at dimension 1 of `tile.where`
