import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor

K = htp.dim("K")
M = htp.dim("M")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K]], c: Out[Tensor[f32, M, 1]]) -> None:
    c[:, 0] = matmul(a[:, :], b[:])

# kind: matmul; a matrix with a vector
# expect: tile.rank-mismatch 11
# text: `tile.matmul` needs tiles of 2 dimensions, not `Tile[f32, K]`
