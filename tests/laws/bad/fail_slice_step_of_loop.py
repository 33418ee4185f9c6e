import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:
    for p in range(1, 4):
        y[:, ::p] = x[:, ::p]

# kind: a slice; a step that is not known
# expect: tile.not-constant 11
# text: the step of a slice must be a compile-time int, not `p`
# expect: tile.not-constant 11
# text: the step of a slice must be a compile-time int, not `p`
