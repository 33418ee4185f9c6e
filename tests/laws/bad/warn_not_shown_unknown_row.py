import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n % (N + 1), :] = x[n, :]

# kind: Out; an index by a remainder of dims
# expect: tile.maybe-unwritten 10
# text: that all of `y` is written was not shown
# expect: tile.not-affine 12
# text: index `n % (N + 1)` was not shown to be inside dimension 0: it is not affine in the sizes and loops
