import htp
from htp import In, Out, i32, i8
from htp_tile import kernel, rem, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[i32, N]], b: In[Tensor[i8, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = rem(a[i], b[i])

# kind: rem; i32 by i8
# expect: tile.dtype-mismatch 11
# text: `tile.rem` expects i32, got i8
