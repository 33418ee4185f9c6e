import htp
from htp import In, Out, f32, i32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, N]], b: In[Tensor[i32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] / b[i]

# kind: /; f32 with i32
# expect: tile.dtype-mismatch 11
# text: `tile.div` expects f32, got i32
