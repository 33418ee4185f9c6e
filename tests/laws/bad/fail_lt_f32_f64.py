import htp
from htp import In, Out, bool_, f32, f64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, N]], b: In[Tensor[f64, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] < b[i]

# kind: <; f32 with f64
# expect: tile.dtype-mismatch 11
# text: `tile.lt` expects f32, got f64
