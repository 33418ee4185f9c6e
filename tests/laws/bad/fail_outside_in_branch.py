import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n, :]
        if n >= M - 1:
            y[n, :] = x[n + 1, :]

# kind: load; where a branch has made sure
# expect: tile.outside 14
# text: index `n + 1` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1 and n = 0
