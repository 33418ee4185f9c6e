import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v):
    return v, v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a, b, d = helper(x[i, :])
        y[i, :] = a

# kind: a function of the file; results and names
# options: --entry k
# expect: tile.result-count 16
# text: `helper` returns 2 values, and there are 3 names for them
