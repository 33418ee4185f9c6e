import htp
from htp import In, Out, bool_
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[bool_, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = -x[i]

# kind: unary -; masks
# expect: tile.wrong-dtype 11
# text: `tile.neg` takes a number, not bool_
