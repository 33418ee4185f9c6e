import htp
from htp import In, Out, f32
from htp_tile import kernel, rem, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = rem(x[i], x[i])

# kind: rem; f32 for bits
# expect: tile.wrong-dtype 11
# text: `tile.rem` takes an integer dtype, not f32
