import htp
from htp import In, Out, u32
from htp_tile import kernel, sqrt, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u32, N]], y: Out[Tensor[u32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = sqrt(x[i])

# kind: sqrt; u32
# expect: tile.wrong-dtype 11
# text: `tile.sqrt` takes a floating-point dtype, not u32
