import htp
from htp import In, Out, u64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u64, N]], y: Out[Tensor[u64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] - -5

# kind: -; -5 beside u64
# expect: tile.literal-dtype 11
# text: the literal -5 is not a value of u64
