import htp
from htp import In, Out, f32, f64, i32
from htp_tile import Tensor, exp, kernel, matmul, reduce_sum, tiles, where, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def bad(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    try:
        y[0, :] = x[0, :]
    except ValueError:
        pass

# expect: tile.unwritten-output 11
# expect: tile.unsupported 12
