import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t = exp(x[i, :])

# kind: Out; never stored
# expect: tile.never-written 10
# text: `y` is an output, and nothing is stored to it
