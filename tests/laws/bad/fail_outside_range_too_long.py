import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M + 1):
        y[n, :] = 0.0

# kind: store; a range that is too long
# expect: tile.outside 12
# text: index `n` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1 and n = 1
