import htp
from htp import In, Out, i32
from htp_tile import exp, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = exp(x[i])

# kind: exp; i32
# expect: tile.wrong-dtype 11
# text: `tile.exp` takes a floating-point dtype, not i32
