import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for a, b in tiles(M, 8):
        y[a, :] = x[a, :]

# kind: for; two names
# expect: tile.bad-target 11
# text: `(a, b)` cannot be assigned to
