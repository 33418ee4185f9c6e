import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    n = 0
    while n < 8:
        e = x[:]
        n += 1
    y[:] = e

# kind: name; bound in a while
# expect: tile.maybe-unbound 14
# text: `e` is bound only inside a `while`
