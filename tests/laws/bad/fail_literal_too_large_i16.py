import htp
from htp import In, Out, i16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i16, N]], y: Out[Tensor[i16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * 40000

# kind: *; 40000 beside i16
# expect: tile.literal-dtype 11
# text: the literal 40000 is not a value of i16
