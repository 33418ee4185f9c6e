import htp
from htp import In, Out, f32, i8
from htp_tile import kernel, round, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[i8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = round(x[i] * 127.0)

# kind: store; f32 to i8
# expect: tile.dtype-mismatch 11
# text: `tile.store` expects i8, got f32
