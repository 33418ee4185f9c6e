import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N + 1]]) -> None:
    y[:, :N] = x[:, :]

# kind: Out; all but the last of N + 1
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 1] when M = 1 and N = 1
