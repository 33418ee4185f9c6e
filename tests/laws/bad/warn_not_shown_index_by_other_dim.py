import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = 0.0
    for n in range(N):
        y[n, :] = x[0, :]

# kind: store; a row counted by another dim
# expect: tile.maybe-outside 13
# text: index `n` may be outside dimension 0, as when M = 1, N = 2 and n = 1
