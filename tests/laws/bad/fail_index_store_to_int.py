import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        n[0] = 1.0
        y[n, :] = x[n, :]

# kind: store; to an int
# expect: tile.not-indexable 12
# text: `n` is not a tensor in memory
