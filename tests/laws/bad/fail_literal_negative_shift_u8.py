import htp
from htp import In, Out, u8
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u8, N]], y: Out[Tensor[u8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] >> -1

# kind: >>; a count of -1 of u8
# expect: tile.literal-dtype 11
# text: the literal -1 is not a value of u8
