import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] += x[i]

# kind: +=; to an Out
# expect: tile.read-output 11
# text: `y` is an output and is read here
