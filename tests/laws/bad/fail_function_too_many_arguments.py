import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v):
    return v * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :], 2.0)

# kind: a function of the file; too many arguments
# options: --entry k
# expect: tile.too-many-arguments 16
# text: `helper` takes at most 1 positional arguments, not 2
