import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, store, Tensor, tiles, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        store(x, exp(x[i, :]), i, whole)
        y[i, :] = x[i, :]

# kind: store called; to an In
# expect: tile.written-input 12
# text: `x` is an input and is written here
