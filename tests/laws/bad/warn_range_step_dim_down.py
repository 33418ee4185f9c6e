import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    for n in range(N, 0, -N):
        y[n - 1] = x[n - 1]

# kind: range; a step that is -N
# expect: tile.unknown-use 12
# text: index `n - 1` was not shown to be inside dimension 0: when it is used is not known for all sizes
# expect: tile.unknown-use 12
# text: index `n - 1` was not shown to be inside dimension 0: when it is used is not known for all sizes
