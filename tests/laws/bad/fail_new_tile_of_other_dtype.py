import htp
from htp import In, Out, f32, f64
from htp_tile import kernel, Tensor, tiles, zeros

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * zeros(f64, i)

# kind: *; f32 with zeros of f64
# expect: tile.dtype-mismatch 11
# text: `tile.mul` expects f32, got f64
