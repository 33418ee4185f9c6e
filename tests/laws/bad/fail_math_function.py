import math

import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[:] * math.sin(x[:])

# kind: a call; a function of Python's math
# expect: tile.unknown-call 12
# text: `math.sin` is not an intrinsic
