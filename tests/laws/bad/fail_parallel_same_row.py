import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in htp.parallel(range(M)):
        y[0, :] = x[n, :]
    y[:, :] = 0.0

# kind: htp.parallel; one row of an Out
# expect: tile.same-element 11
# text: two iterations of the parallel loop `n` write the same element of `y`, as `n = 0` and `n = 1` meet at `y[0, 0]` when M = 2, N = 1
