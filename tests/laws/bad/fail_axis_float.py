import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_max, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, :] = reduce_max(x[:, :], axis=1.0)

# kind: reduce_max; a float as axis
# expect: tile.not-constant 11
# text: `axis` of `tile.reduce_max` must be a compile-time int, not `1.0`
