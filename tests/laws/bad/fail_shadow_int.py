import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n, :]
        n = n + 1

# kind: an assignment; to a loop's int
# expect: tile.shadowed 13
# text: `n` already stands for the variable of a loop
