import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: InOut[Tensor[f32, M, 64]]) -> None:
    n = 1
    while n < M:
        y[:, :n] = x[:, :n]
        n += 1

# kind: a slice; as long as an int that changes
# expect: tile.changing-extent 12
# text: `n` is an extent here, and `n` is bound more than once
