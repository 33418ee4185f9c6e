import htp
from htp import In, Out, u16
from htp_tile import kernel, minimum, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u16, N]], y: Out[Tensor[u16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = minimum(x[i], -1)

# kind: minimum; -1 beside u16
# expect: tile.literal-dtype 11
# text: the literal -1 is not a value of u16
