import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    n = 0
    limit = 8
    while n < limit:
        n += 1
        limit += 1

# kind: while; a limit that moves along
# expect: tile.endless 13
# text: this `while` may run for ever
