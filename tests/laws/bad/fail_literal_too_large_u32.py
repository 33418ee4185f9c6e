import htp
from htp import In, Out, u32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u32, N]], y: Out[Tensor[u32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] + 4294967296

# kind: +; 2**32 beside u32
# expect: tile.literal-dtype 11
# text: the literal 4294967296 is not a value of u32
