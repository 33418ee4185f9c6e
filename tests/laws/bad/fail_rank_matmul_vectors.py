import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor

K = htp.dim("K")


@kernel
def k(a: In[Tensor[f32, K]], b: In[Tensor[f32, K]], c: Out[Tensor[f32, 1, 1]]) -> None:
    c[0, 0] = matmul(a[:], b[:])

# kind: matmul; two vectors
# expect: tile.rank-mismatch 10
# text: `tile.matmul` needs tiles of 2 dimensions, not `Tile[f32, K]`
