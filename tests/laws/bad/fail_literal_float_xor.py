import htp
from htp import In, Out, u16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u16, N]], y: Out[Tensor[u16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] ^ 0.5

# kind: ^; a float beside u16
# expect: tile.literal-dtype 11
# text: the literal 0.5 is not a value of u16
