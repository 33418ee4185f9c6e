import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M * N):
        if n < M:
            y[n, :] = x[n, :]

# kind: Out; a loop over a product of dims
# expect: tile.maybe-unwritten 10
# text: that all of `y` is written was not shown
