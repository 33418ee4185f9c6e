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
        helper(x[i, :])
        y[i, :] = x[i, :]

# kind: a function of the file; a value that is not used
# options: --entry k
# expect: tile.unused-result 16
# text: the result of `v * 2.0` is not used
