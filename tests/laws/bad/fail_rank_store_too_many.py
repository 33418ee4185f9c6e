import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_sum

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = reduce_sum(x[:, :], axis=1)

# kind: store; a column to a row of 1 dimension
# expect: tile.rank-mismatch 11
# text: `tile.store` needs tiles of 1 dimensions, not `Tile[f32, M, 1]`
