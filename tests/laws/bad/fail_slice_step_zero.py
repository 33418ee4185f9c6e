import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = 0.0
    y[:, ::0] = 1.0

# kind: a slice; a step of 0
# expect: tile.slice-step 11
# text: a slice with a step of 0 goes nowhere
