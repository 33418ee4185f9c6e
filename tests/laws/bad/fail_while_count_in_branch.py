import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    n = 0
    while n < 8:
        if N > 64:
            n += 1

# kind: while; a count in one branch
# expect: tile.endless 12
# text: this `while` may run for ever
