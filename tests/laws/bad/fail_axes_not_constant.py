import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, reduce_sum

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] + reduce_sum(x[:, :], axis=(0, count))

# kind: axis; a tuple with an int parameter
# expect: tile.not-constant 11
# text: `axis` of `tile.reduce_sum` must be a compile-time int, not `count`
