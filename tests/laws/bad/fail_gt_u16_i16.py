import htp
from htp import In, Out, bool_, i16, u16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[u16, N]], b: In[Tensor[i16, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] > b[i]

# kind: >; u16 with i16
# expect: tile.dtype-mismatch 11
# text: `tile.gt` expects u16, got i16
