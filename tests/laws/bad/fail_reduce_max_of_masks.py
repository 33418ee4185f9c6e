import htp
from htp import In, Out, bool_
from htp_tile import kernel, reduce_max, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[bool_, M, N]], y: Out[Tensor[bool_, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = reduce_max(x[i, :], axis=1)

# kind: reduce_max; masks
# expect: tile.wrong-dtype 12
# text: `tile.reduce_max` takes a number, not bool_
