import htp
from htp import In, Out, u32
from htp_tile import full, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u32, N]], y: Out[Tensor[u32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] + full(u32, 0.5, i)

# kind: full; 0.5 of u32
# expect: tile.literal-dtype 11
# text: the literal 0.5 is not a value of u32
