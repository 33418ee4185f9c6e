import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(*v):
    return v


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :])

# kind: a function of the file; any number of parameters
# options: --entry k
# expect: tile.local-signature 9
# text: `helper` cannot have `*` parameters
