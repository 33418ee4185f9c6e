import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, ::2] = x[:, ::2]

# kind: Out; every second column of 64
# expect: tile.unwritten-output 9
# text: `y` is an output, and is not written at [0, 1] when M = 1
