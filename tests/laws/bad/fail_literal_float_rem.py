import htp
from htp import In, Out, i64
from htp_tile import kernel, rem, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i64, N]], y: Out[Tensor[i64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = rem(x[i], 2.0)

# kind: rem; a float beside i64
# expect: tile.literal-dtype 11
# text: the literal 2.0 is not a value of i64
