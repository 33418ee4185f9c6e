import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for n in range(2):
        y[:, :] = reduce_sum(x[:, :], axis=n)

# kind: reduce_sum; an int loop's variable as axis
# expect: tile.not-constant 12
# text: `axis` of `tile.reduce_sum` must be a compile-time int, not `n`
