import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(N):
        y[:, N - n] = x[:, n]

# kind: store; the mirrored column, without - 1
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 0] when M = 1 and N = 1
# expect: tile.outside 12
# text: index `N - n` is outside dimension 1 at least once at every size that reaches it, as when M = 1, N = 1 and n = 0
