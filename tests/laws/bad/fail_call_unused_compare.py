import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        x[i, :] == 0.0

# kind: a statement; a comparison in place of an assignment
# expect: tile.unused-result 13
# text: the result of `x[i, :] == 0.0` is not used
