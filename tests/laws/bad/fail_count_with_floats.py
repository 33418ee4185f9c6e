import htp
from htp import In, Out, f32, i32
from htp_tile import iota, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * iota(i32, i, axis=0)

# kind: *; iota of i32 with f32
# expect: tile.dtype-mismatch 11
# text: `tile.mul` expects f32, got i32
