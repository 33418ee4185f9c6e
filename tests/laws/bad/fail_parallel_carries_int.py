import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    at = 0
    for n in htp.parallel(range(M)):
        y[n, :] = x[n, :] * 1.0
        at = at + 1

# kind: htp.parallel; an int carried over
# expect: tile.carried 12
# text: iterations of the parallel loop `n` depend on each other: `at` is carried from one to the next
