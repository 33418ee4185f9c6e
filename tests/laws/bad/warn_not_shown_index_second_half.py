import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n + M // 2, :]

# kind: load; a row past the middle
# expect: tile.maybe-outside 12
# text: index `n + M // 2` may be outside dimension 0, as when M = 2, N = 1 and n = 1
