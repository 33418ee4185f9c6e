import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v, i, w):
    v[i, :] = w
    return w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(y, i, x[i, :]) + 1.0

# kind: a function of the file; stores within an expression
# options: --entry k
# expect: tile.stores-within 17
# text: `helper` stores to a tensor, and stands within an expression
