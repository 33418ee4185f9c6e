import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    while True:
        y[:] = x[:]

# kind: while; no bound
# expect: tile.endless 10
# text: this `while` may run for ever
