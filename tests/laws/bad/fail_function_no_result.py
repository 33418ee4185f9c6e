import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v, i, w):
    v[i, :] = w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        z = helper(y, i, x[i, :])

# kind: a function of the file; no result
# options: --entry k
# expect: tile.no-result 16
# text: `helper` has no result
