import htp
from htp import In, Out, f32, i32
from htp_tile import argsort, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:
    y[:, :] = argsort(x[:, :], axis=1, descending=x[:, :])

# kind: argsort; a tile for descending
# expect: tile.not-literal 11
# text: `descending` of `tile.argsort` must be known when compiling, not `x[:, :]`
