import htp
from htp import In, Out, i64
from htp_tile import kernel, Tensor, tiles, trunc

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i64, N]], y: Out[Tensor[i64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = trunc(x[i])

# kind: trunc; i64
# expect: tile.wrong-dtype 11
# text: `tile.trunc` takes a floating-point dtype, not i64
