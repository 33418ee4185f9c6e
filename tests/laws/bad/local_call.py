import htp
from htp import In, Out, f32, f64, i32
from htp_tile import Tensor, exp, kernel, matmul, reduce_sum, tiles, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def helper(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]


@kernel
def bad(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    helper(x, y)

# expect: tile.local-call 18
