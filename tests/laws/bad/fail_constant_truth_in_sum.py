import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
FLAG = True


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[:] + FLAG

# kind: +; a constant that is True
# expect: tile.literal-dtype 11
# text: the literal True is not a value of f32
