import htp
from htp import In, Out, f32
from htp_tile import kernel, load, Tensor, tiles, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        t = load(y, M - 1, whole)
        y[i, :] = t

# kind: load called; from an Out, what a later block stores
# expect: tile.read-output 13
# text: `y` is an output and is read here
