import htp
from htp import In, Out, f32
from htp_tile import add, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = add(x[i, :])

# kind: add; one of two arguments
# expect: tile.missing-argument 12
# text: `tile.add` needs the argument `b`
