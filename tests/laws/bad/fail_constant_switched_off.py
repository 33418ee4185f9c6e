import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
WRITES = True


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    if WRITES:
        y[:] = x[:]

# kind: Out; written when a constant says so, which --set makes False
# options: --set WRITES=False
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0] when M = 1
