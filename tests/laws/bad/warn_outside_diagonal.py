import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for m in range(M):
        for n in range(N):
            y[m, n] = x[m + n, M]

# kind: load; a row and a column from others' sizes
# expect: tile.maybe-outside 13
# text: index `M` may be outside dimension 1, as when M = 1, N = 1, m = 0 and n = 0
# expect: tile.maybe-outside 13
# text: index `m + n` may be outside dimension 0, as when M = 1, N = 2, m = 0 and n = 1
