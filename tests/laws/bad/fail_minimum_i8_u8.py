import htp
from htp import In, Out, i8, u8
from htp_tile import kernel, minimum, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[i8, N]], b: In[Tensor[u8, N]], y: Out[Tensor[i8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = minimum(a[i], b[i])

# kind: minimum; i8 with u8
# expect: tile.dtype-mismatch 11
# text: `tile.minimum` expects i8, got u8
