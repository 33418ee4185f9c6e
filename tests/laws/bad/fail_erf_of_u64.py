import htp
from htp import In, Out, u64
from htp_tile import erf, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u64, N]], y: Out[Tensor[u64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = erf(x[i])

# kind: erf; u64
# expect: tile.wrong-dtype 11
# text: `tile.erf` takes a floating-point dtype, not u64
