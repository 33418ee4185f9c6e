import htp
from htp import In, Out, f32, i32
from htp_tile import kernel, Tensor, reduce_mean

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: i32, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] + reduce_mean(count, axis=0)

# kind: reduce_mean; a scalar of i32
# expect: tile.wrong-dtype 11
# text: `tile.reduce_mean` takes a floating-point dtype, not i32
