import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    for n in range(N):
        y[n] = x[n ** 2]

# kind: load; an int to a power
# expect: tile.int-operator 12
# text: ints of a kernel have no operator `**`
