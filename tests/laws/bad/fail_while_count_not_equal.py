import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    n = 0
    while n != N:
        n += 2

# kind: while; a count that steps over its end
# expect: tile.endless 12
# text: this `while` may run for ever
