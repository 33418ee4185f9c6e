import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t = reduce_sum(x[:, :], axis=0)
    y[:, :] = t

# kind: a name; bound in a for
# expect: tile.maybe-unbound 13
# text: `t` is bound only inside a `for`
