import htp
from htp import In, Out, f32, f64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[f64, N]], b: In[Tensor[f32, N]], y: Out[Tensor[f64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] - b[i]

# kind: -; f64 with f32
# expect: tile.dtype-mismatch 11
# text: `tile.sub` expects f64, got f32
