import htp
from htp import In, Out, f32
from htp_tile import Tensor, holds, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    low = 0
    high = N
    while low < high:
        middle = (low + high) // 2
        if holds(x[middle] < 0.0):
            low = middle
        else:
            high = middle

# kind: while; a half that may be all
# expect: tile.endless 13
# text: this `while` may run for ever
