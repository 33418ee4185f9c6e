import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel, zeros

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, M]]) -> None:
    n = M // 2
    if n > 4:
        n = 4
    y[:n] = zeros(f32, n)

# kind: zeros; an int that changes
# expect: tile.changing-extent 13
# text: `n` is an extent here, and `n` is bound more than once
