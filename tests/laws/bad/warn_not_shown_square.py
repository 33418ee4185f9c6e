import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        if n * n < M:
            y[n, :] = x[n, :]
        if n * n >= M:
            y[n, :] = 0.0

# kind: Out; a condition that is not affine
# expect: tile.maybe-unwritten 10
# text: that all of `y` is written was not shown
