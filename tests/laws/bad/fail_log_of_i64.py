import htp
from htp import In, Out, i64
from htp_tile import kernel, log, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i64, N]], y: Out[Tensor[i64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = log(x[i])

# kind: log; i64
# expect: tile.wrong-dtype 11
# text: `tile.log` takes a floating-point dtype, not i64
