import htp
from htp import In, Out, bool_
from htp_tile import kernel, minimum, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[bool_, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = minimum(x[i], x[i])

# kind: minimum; masks
# expect: tile.wrong-dtype 11
# text: `tile.minimum` takes a number, not bool_
