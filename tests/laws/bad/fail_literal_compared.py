import htp
from htp import In, Out, bool_, u8
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u8, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] < 300

# kind: <; 300 beside u8
# expect: tile.literal-dtype 11
# text: the literal 300 is not a value of u8
