import htp
from htp import In, Out, f32
from htp_tile import Tensor, holds, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    if holds(x[0]):
        y[0] = 0.0

# kind: holds; a float element
# expect: tile.wrong-dtype 11
# text: `tile.holds` takes bool_, not f32
