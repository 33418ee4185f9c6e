import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        if N > 4:
            t = x[i, :]
        y[i, :] = t

# kind: a name; bound in an if
# expect: tile.maybe-unbound 14
# text: `t` is bound only inside an `if`
