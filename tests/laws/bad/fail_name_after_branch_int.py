import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if N > 4:
        rows = M
    for n in range(rows):
        y[n, :] = x[n, :]

# kind: range; an int bound in an if
# expect: tile.maybe-unbound 13
# text: `rows` is bound only inside an `if`
