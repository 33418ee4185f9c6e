import htp
from htp import In, Out, u16
from htp_tile import ceil, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u16, N]], y: Out[Tensor[u16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = ceil(x[i])

# kind: ceil; u16
# expect: tile.wrong-dtype 11
# text: `tile.ceil` takes a floating-point dtype, not u16
