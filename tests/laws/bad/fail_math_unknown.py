import math

import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[:] * math.phi

# kind: an attribute; what Python's math has not
# expect: tile.unknown-attribute 12
# text: `math` has no attribute `phi`
