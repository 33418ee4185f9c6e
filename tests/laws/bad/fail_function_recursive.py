import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def odd(v):
    return even(v)


def even(v):
    w = odd(v)
    return w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = odd(x[i, :])

# kind: a function of the file; recursive
# options: --entry k
# expect: tile.recursive 14
# text: `odd` calls itself
