import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f16, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i]

# kind: store; f16 to f32
# expect: tile.dtype-mismatch 11
# text: `tile.store` expects f32, got f16
