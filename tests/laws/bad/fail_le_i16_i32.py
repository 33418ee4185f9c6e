import htp
from htp import In, Out, bool_, i16, i32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[i16, N]], b: In[Tensor[i32, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] <= b[i]

# kind: <=; i16 with i32
# expect: tile.dtype-mismatch 11
# text: `tile.le` expects i16, got i32
