import htp
from htp import In, InOut, f16, f32, i32
from htp_tile import kernel, scatter_add, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f16, N]], b: In[Tensor[i32, N]], y: InOut[Tensor[f32, M]]) -> None:
    for i in tiles(N, 8):
        scatter_add(y, x[i], b[i])

# kind: scatter_add; f16 to f32
# expect: tile.dtype-mismatch 12
# text: `tile.scatter_add` expects f32, got f16
