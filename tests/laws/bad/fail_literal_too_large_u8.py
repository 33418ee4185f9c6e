import htp
from htp import In, Out, u8
from htp_tile import kernel, maximum, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u8, N]], y: Out[Tensor[u8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = maximum(x[i], 256)

# kind: maximum; 256 beside u8
# expect: tile.literal-dtype 11
# text: the literal 256 is not a value of u8
