import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v):
    return v + undefined


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(x[i, :]) + helper(x[i, :])

# kind: a function of the file; a mistake in its body, told once for two calls
# options: --entry k
# expect: tile.undefined-name 10
# text: `undefined` is not defined
