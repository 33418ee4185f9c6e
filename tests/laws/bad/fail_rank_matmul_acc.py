import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor, zeros

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, M)
    c[:, :] = matmul(a[:, :], b[:, :], acc)

# kind: matmul's accumulator; a vector
# expect: tile.rank-mismatch 13
# text: `tile.matmul` needs tiles of 2 dimensions, not `Tile[f32, M]`
