import htp
from htp import In, Out, u8
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u8, N]], y: Out[Tensor[u8, N]]) -> None:
    y[:] = -1
    for i in tiles(N, 64):
        y[i] = x[i]

# kind: store; -1 to u8
# expect: tile.literal-dtype 10
# text: the literal -1 is not a value of u8
