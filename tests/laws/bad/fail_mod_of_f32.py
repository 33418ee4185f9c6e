import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[:] % 2.0

# kind: %; a tile of floats
# expect: tile.wrong-dtype 10
# text: `tile.mod` takes an integer dtype, not f32
