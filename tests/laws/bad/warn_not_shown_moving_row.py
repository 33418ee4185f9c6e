import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    at = 0
    for n in range(M):
        y[at, :] = x[n, :]
        at = at + 1

# kind: Out; an int that changes
# expect: tile.maybe-unwritten 10
# text: that all of `y` is written was not shown
# expect: tile.not-affine 13
# text: index `at` was not shown to be inside dimension 0: it is not affine in the sizes and loops
