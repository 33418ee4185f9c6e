import htp
from htp import In, Out, bool_
from htp_tile import kernel, sin, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[bool_, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = sin(x[i])

# kind: sin; bool_
# expect: tile.wrong-dtype 11
# text: `tile.sin` takes a floating-point dtype, not bool_
