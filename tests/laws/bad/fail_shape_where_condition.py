import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(c: In[Tensor[bool_, N]], x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = where(c[:], x[:], 0.0)

# kind: where; the condition's dim
# expect: tile.shape-mismatch 11
# text: extents `M` and `N` differ at dimension 0 of `tile.where`
