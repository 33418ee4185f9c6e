import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, matmul, Tensor, tiles

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f16, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            c[i, j] = matmul(a[i, :], b[:, j])

# kind: matmul; f32 with f16
# expect: tile.dtype-mismatch 14
# text: `tile.matmul` expects f32, got f16
