import htp
from htp import In, Out, bool_
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[bool_, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] & 1

# kind: &; an int beside a mask
# expect: tile.literal-dtype 11
# text: the literal 1 is not a bool_
