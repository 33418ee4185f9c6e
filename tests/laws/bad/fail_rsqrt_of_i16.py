import htp
from htp import In, Out, i16
from htp_tile import kernel, rsqrt, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i16, N]], y: Out[Tensor[i16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = rsqrt(x[i])

# kind: rsqrt; i16
# expect: tile.wrong-dtype 11
# text: `tile.rsqrt` takes a floating-point dtype, not i16
