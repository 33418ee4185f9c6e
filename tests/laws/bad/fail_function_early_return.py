import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v, n):
    if n > 3:
        return v
    return v * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :], N)

# kind: a function of the file; early return
# options: --entry k
# expect: tile.early-return 11
# text: `helper` returns before its end
