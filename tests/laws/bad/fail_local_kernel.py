import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def helper(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    helper(x, y)

# kind: a call; a kernel of the file
# options: --entry k
# expect: tile.local-call 17
# text: `helper` is called from outside, not by a kernel
