import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = 0.0
    y[:M, : M + 1] = 1.0
    y[0, 0:8] = x[0, M : M + 9]

# kind: a slice; a length of 9 where a dim begins
# expect: tile.shape-mismatch 12
# text: extents `8` and `9` differ at dimension 1 of `tile.store`
