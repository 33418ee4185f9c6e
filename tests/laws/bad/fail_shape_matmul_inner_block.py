import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor, tiles

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for p in tiles(K, 32):
        c[:, :] = matmul(a[:, p], b[:, :])

# kind: matmul; an inner block with the dim
# expect: tile.shape-mismatch 13
# text: extents `p` and `K` differ at dimension 1 of `tile.matmul`
