import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(last):
        y[n, :] = x[n, :]
    last = M

# kind: range; an int bound below
# expect: tile.use-before-definition 11
# text: `last` is used before it is bound
