import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor

B = htp.dim("B")
K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, B, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, B, M, N]]) -> None:
    c[:, :, :] = matmul(a[:, :, :], b[:, :])

# kind: matmul; 3 with 2 dimensions
# expect: tile.rank-mismatch 13
# text: `tile.matmul` needs tiles of 3 dimensions, not `Tile[f32, K, N]`
