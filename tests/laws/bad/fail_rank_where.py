import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(c: In[Tensor[bool_, N]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = where(c[:], x[:, :], 0.0)

# kind: where; a mask of 1 dimension with 2
# expect: tile.rank-mismatch 11
# text: `tile.where` needs tiles of 2 dimensions, not `N`
