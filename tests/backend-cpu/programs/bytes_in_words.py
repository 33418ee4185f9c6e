"""Products of bytes, four at a time where there are so many: of the whole, in blocks, across their lines, added to what was there, and of what was computed before."""
#: M=1 N=3 K=5; M=16 N=48 K=4; M=17 N=49 K=7; M=16 N=100 K=3; M=23 N=61 K=0; M=40 N=131 K=66; M=0 N=50 K=8; M=9 N=15 K=129

import htp
from htp import In, InOut, Out, f32, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, maximum, minimum, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def bytes_in_words(
    a: In[Tensor[i8, M, K]],
    b: In[Tensor[i8, K, N]],
    turned: In[Tensor[i8, N, K]],
    right: In[Tensor[i8, M, N]],
    scale: In[Tensor[f32, M, 1]],
    whole: Out[Tensor[i32, M, N]],
    across: Out[Tensor[i32, M, N]],
    blocks: Out[Tensor[i32, M, N]],
    most: InOut[Tensor[i32, M, N]],
    scaled: Out[Tensor[f32, M, N]],
    left: Out[Tensor[i32, K, N]],
) -> None:
    whole[:, :] = matmul(a[:, :], b[:, :], zeros(i32, M, N))
    across[:, :] = matmul(a[:, :], transpose(turned[:, :]), zeros(i32, M, N)) + 1
    for i in tiles(M, 8):
        for j in tiles(N, 16):
            acc = zeros(i32, i, j)
            for k in tiles(K, 16):
                acc = matmul(a[i, k], b[k, j], acc)
            blocks[i, j] = acc
    for i in tiles(M, 16):
        most[i, :] = matmul(maximum(a[i, :], -3), b[:, :], most[i, :])
        scaled[i, :] = cast(matmul(a[i, :], transpose(minimum(turned[:, :], 100)), zeros(i32, i, N)), f32) * scale[i, :]
    left[:, :] = matmul(transpose(a[:, :]), right[:, :], zeros(i32, K, N))
