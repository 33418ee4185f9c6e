import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
NOTHING = float("nan")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = NOTHING

# kind: a constant; not a number
# expect: tile.not-compile-time 11
# text: `NOTHING` has no value known when compiling
