import htp
from htp import In, Out, i32
from htp_tile import Tensor, index, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    y[:] = x[:]
    n = 0
    while n < 8:
        n = index(x[n])

# kind: while; an int from a tensor
# expect: tile.endless 12
# text: this `while` may run for ever
