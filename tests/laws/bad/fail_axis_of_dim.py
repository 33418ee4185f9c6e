import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_min, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, :] = reduce_min(x[:, :], axis=N)

# kind: reduce_min; a dim as axis
# expect: tile.not-constant 11
# text: `axis` of `tile.reduce_min` must be a compile-time int, not `N`
