import htp
from htp import In, Out, bool_
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(c: In[Tensor[bool_, M]], d: In[Tensor[bool_, N]], y: Out[Tensor[bool_, M]]) -> None:
    y[:] = c[:] & d[:]

# kind: &; masks of two dims
# expect: tile.shape-mismatch 11
# text: extents `M` and `N` differ at dimension 0 of `tile.bit_and`
