import htp
from htp import In, Out, i8, u8
from htp_tile import kernel, matmul, Tensor, tiles

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[i8, M, K]], b: In[Tensor[u8, K, N]], c: Out[Tensor[i8, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            c[i, j] = matmul(a[i, :], b[:, j])

# kind: matmul; i8 with u8
# expect: tile.dtype-mismatch 14
# text: `tile.matmul` expects i8, got u8
