import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N + 1]]) -> None:
    y[:, :N] = x[:, :]
    y[:, N + 1] = 0.0

# kind: store; a column behind N + 1
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 1] when M = 1 and N = 1
# expect: tile.outside 12
# text: index `N + 1` is outside dimension 1 at least once at every size that reaches it, as when M = 1 and N = 1
