import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, N]], b: In[Tensor[f16, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] + b[i]

# kind: +; f32 with f16
# expect: tile.dtype-mismatch 11
# text: `tile.add` expects f32, got f16
