import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f16, M, N]], b: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = reduce_sum(x[i, :], axis=1) + b[i, :]

# kind: +; a reduced f16 with f32
# expect: tile.dtype-mismatch 12
# text: `tile.add` expects f16, got f32
