import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in M:
        y[n, :] = x[n, :]

# kind: for; over a dim
# expect: tile.bad-loop 11
# text: a `for` of the tile language runs over `tiles` or `range`, not `M`
