import htp
from htp import In, Out, i8
from htp_tile import kernel, tanh, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i8, N]], y: Out[Tensor[i8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = tanh(x[i])

# kind: tanh; i8
# expect: tile.wrong-dtype 11
# text: `tile.tanh` takes a floating-point dtype, not i8
