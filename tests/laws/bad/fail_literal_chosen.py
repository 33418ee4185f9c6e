import htp
from htp import In, Out, bool_, i8
from htp_tile import kernel, Tensor, tiles, where

N = htp.dim("N")


@kernel
def k(c: In[Tensor[bool_, N]], x: In[Tensor[i8, N]], y: Out[Tensor[i8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = where(c[i], x[i], 0.5)

# kind: where; a float beside i8
# expect: tile.literal-dtype 11
# text: the literal 0.5 is not a value of i8
