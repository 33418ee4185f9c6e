import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, :] = reduce_sum(x[:, :], axis="rows")

# kind: reduce_sum; a string as axis
# expect: tile.not-constant 11
# text: `axis` of `tile.reduce_sum` must be a compile-time int, not `'rows'`
