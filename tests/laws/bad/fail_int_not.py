import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    n = not N
    y[n] = x[n]

# kind: an assignment; not of an int
# expect: tile.int-operator 11
# text: ints of a kernel have no operator `not`
