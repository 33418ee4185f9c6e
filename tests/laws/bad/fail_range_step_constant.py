import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

STEP = 1


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(0, M, STEP - 1):
        y[n, :] = x[n, :]

# kind: range; a constant step of 0
# expect: tile.no-step 13
# text: a `range` with a step of 0 goes nowhere
