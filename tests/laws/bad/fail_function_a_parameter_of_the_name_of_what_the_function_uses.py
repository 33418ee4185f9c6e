import htp
from htp import In, Out, f32
from htp_tile import exp, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v):
    return exp(v)


@kernel
def k(exp: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = helper(exp[i, :])

# kind: a function of the file; a parameter of the name of what the function uses
# options: --entry k
# expect: tile.module-name 16
# text: `exp` is a parameter here, and a name of the module in `helper`
