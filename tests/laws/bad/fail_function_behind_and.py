import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def small(n):
    return n < 64


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        if N > 2 and small(N):
            y[i, :] = x[i, :]

# kind: a function of the file; behind and
# options: --entry k
# expect: tile.conditional-call 17
# text: `small(N)` calls a function behind `and` or `or`
