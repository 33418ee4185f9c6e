import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, matmul, Tensor, tiles, zeros

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            acc = zeros(f16, i, j)
            for p in tiles(K, 32):
                acc = matmul(a[i, p], b[p, j], acc)
            c[i, j] = acc

# kind: matmul's accumulator; f16 for f32
# expect: tile.dtype-mismatch 16
# text: `tile.matmul` expects f32, got f16
