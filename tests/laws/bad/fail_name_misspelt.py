import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        y[i, :] = exp(rwo)

# kind: a name; one letter off
# expect: tile.undefined-name 13
# text: `rwo` is not defined
