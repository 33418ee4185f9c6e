import htp
from htp import In, Out, i32
from htp_tile import Tensor, index, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    y[:] = x[:]
    n = 0
    while index(x[n]) > 0:
        n += 1

# kind: while; an element that is read
# expect: tile.endless 12
# text: this `while` may run for ever
